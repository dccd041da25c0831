/** Nothing that Hydra writes is deeper. */
const DEEPEST = 64

/**
 * What is wrong with JSON that a parser would take: members that occur twice, a member named `__proto__`, nesting
 * that is too deep. The text is known to be JSON.
 */
export function faultInJson(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      const fault = isName(text, end) ? faultOfName(text.slice(at, end), open.at(-1)) : undefined
      if (fault !== undefined) return fault
      at = end - 1
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined)
      if (open.length > DEEPEST) return `it is nested deeper than ${DEEPEST} levels`
    } else if (character === '}' || character === ']') open.pop()
  }
  return undefined
}

/** The nesting of a text that may be no JSON at all, checked before it is given to a parser. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 34) at = endOfString(text, at) - 1
    else if (code === 91 || code === 123) depth += 1
    else if (code === 93 || code === 125) depth -= 1
    if (depth > DEEPEST) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote
    while (text[before - 1] === '\\') before -= 1
    if ((quote - before) % 2 === 0) return quote + 1
  }
  return text.length
}

function isName(text: string, end: number): boolean {
  return /^\s*:/.test(text.slice(end, end + 8))
}

function faultOfName(quoted: string, members: Set<string> | undefined): string | undefined {
  const name = JSON.parse(quoted) as string
  if (name === '__proto__') return 'it has a member named __proto__'
  if (members?.has(name) === true) return `it has the member ${JSON.stringify(name.slice(0, 40))} twice`
  members?.add(name)
  return undefined
}
