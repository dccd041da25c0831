/** Replaces what changes from run to run in a text of a request, on both sides of a comparison. */
export type NormalizeRule = (text: string) => string

/** One rule, or several that are applied one after the other. */
export type Normalize = NormalizeRule | readonly NormalizeRule[]

const MONTHS = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'

const DATES = [
  // 2026-11-18, 2026/11/18, and with a time: 2026-11-18T12:00:00.000Z, 2026-11-18 12:00 +01:00
  /\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| ?[+-]\d{2}:?\d{2})?)?(?!\d)/g,
  // Wed, 18 Nov 2026 12:00:00 GMT, 18 November 2026
  new RegExp(
    `\\b(?:[A-Z][a-z]{2,8},? )?\\d{1,2} ${MONTHS},? \\d{4}(?: \\d{2}:\\d{2}(?::\\d{2})?(?: [A-Z]{3})?)?`,
    'g',
  ),
  // Wed Nov 18 2026, November 18, 2026
  new RegExp(`\\b(?:[A-Z][a-z]{2,8},? )?${MONTHS} \\d{1,2},? \\d{4}(?: \\d{2}:\\d{2}(?::\\d{2})?)?`, 'g'),
]

const IDS = [
  // UUIDs
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  // ULIDs
  /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g,
  // Hashes
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/g,
  // Names with a prefix, such as req_011CSHoEeqs5C35K2UUqR7Fy
  /\b[a-z]{2,12}_(?=\w*\d)[0-9A-Za-z]{16,}\b/g,
]

/** Folders for temporary files of the usual systems, and the first name in them. */
const TEMPORARY = [
  /(?:\/private)?\/var\/folders\/\w+\/\w+\/T\/[^\s/"'\\]+/g,
  /(?:\/private)?\/(?:var\/)?tmp\/[^\s/"'\\]+/g,
  /[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)[^\s\\/"']+(?:\\{1,2}|\/)AppData(?:\\{1,2}|\/)Local(?:\\{1,2}|\/)Temp(?:\\{1,2}|\/)[^\s\\/"']+/g,
]

/** Dates and times. */
export function dates(text: string): string {
  return replaced(text, DATES, '(date)')
}

/** UUIDs, ULIDs, hashes, and ids that have a prefix. */
export function ids(text: string): string {
  return replaced(text, IDS, '(id)')
}

/** Temporary folders and files, up to the first name that was made up for them. */
export function temporaryPaths(text: string): string {
  return replaced(text, TEMPORARY, '(temporary)')
}

/** One folder wherever a text names it, and what is in it. */
export function folderRule(folder: string): NormalizeRule {
  return (text) => replaceFolder(text, folder, '(workspace)')
}

/** Replaces the name of a folder, and not the beginning of the name of another one. */
export function replaceFolder(text: string, folder: string, by: string): string {
  let result = ''
  let from = 0
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, at + folder.length)) {
    if (!isEndOfName(text, at + folder.length)) continue
    result += text.slice(from, at) + by
    from = at + folder.length
  }
  return result + text.slice(from)
}

/** Whether a name ends at a place: no letter of a longer name follows there. */
export function isEndOfName(text: string, at: number): boolean {
  return !/[\w-]/.test(text.charAt(at))
}

/** Applies rules to all texts of a value; names of fields are left as they are. */
export function normalized(value: unknown, rules: readonly NormalizeRule[]): unknown {
  if (rules.length === 0) return value
  if (typeof value === 'string') return rules.reduce((text, rule) => rule(text), value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => normalized(inner, rules))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalized(inner, rules)]))
}

function replaced(text: string, patterns: readonly RegExp[], by: string): string {
  return patterns.reduce((result, pattern) => result.replaceAll(pattern, by), text)
}
