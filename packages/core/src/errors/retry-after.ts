const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 }

/**
 * How long an upstream asks to wait, in seconds: by its headers, or else by its words. A header with a date is
 * not understood, because this package has no clock.
 */
export function retryAfterOf(
  headers: Readonly<Record<string, string | undefined>>,
  message: string,
): number | undefined {
  const milliseconds = positive(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds / 1000
  return positive(headers['retry-after']) ?? waitInWords(message)
}

function positive(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Reads `try again in 1.5s`, `retry in 6m0s`, `try again after 20 seconds`. */
function waitInWords(message: string): number | undefined {
  const start = /\b(?:try again|retry|wait)(?: your request)? (?:in|after|for) (?:about )?(?=\d)/i.exec(
    message,
  )
  if (start === null) return undefined
  const part =
    /(\d{1,9}(?:\.\d{1,12})?) ?(ms|milliseconds?|hours?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z]) ?/iy
  part.lastIndex = start.index + start[0].length
  let total: number | undefined
  for (let match = part.exec(message); match !== null; match = part.exec(message)) {
    total = (total ?? 0) + Number(match[1]) * (SECONDS_OF_UNIT[unitOf(match[2] ?? '')] ?? 1)
  }
  return total
}

function unitOf(word: string): string {
  const lower = word.toLowerCase()
  return lower === 'ms' || lower.startsWith('milli') ? 'ms' : lower.slice(0, 1)
}
