/** Everything that can move a cursor, hide text or turn its direction, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
const KEPT = new Set(['\n', '\t'])

/** A text of foreign origin as it may be printed on a terminal: what could control it is written out. */
export function visibleText(text: string): string {
  return text.replaceAll(UNSEEN, (character) => (KEPT.has(character) ? character : escaped(character)))
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text.replaceAll(/\s+/g, ' ')).trim()
}

/** JSON without characters that could control a terminal: they are escaped, so the value stays the same. */
export function visibleJson(value: unknown, indent = 2): string {
  return visibleJsonText(JSON.stringify(value, undefined, indent))
}

/** The same for a text that is JSON already, or a line of it. */
export function visibleJsonText(json: string): string {
  return json.replaceAll(UNSEEN, (character) => (character === '\n' ? character : unitsOf(character)))
}

/** A character as JSON escapes it, unit by unit. */
export function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}

/** The beginning of a text, and how much is missing. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text.slice(0, length).toWellFormed()}… (${text.length - length} characters more)`
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
