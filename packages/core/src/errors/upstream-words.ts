import { BEARER_WORD, JSON_WEB_TOKEN, keyPattern } from '../secrets/secret-shapes.ts'

const MAX_MESSAGE_LENGTH = 2000

/** An error page is judged by its beginning. */
const MAX_READ_LENGTH = 20_000

interface Replacement {
  readonly pattern: RegExp
  readonly by: string
}

/** An error often shows a key shortened; from this many characters on it is hidden. */
const MIN_KEY_REST = 6

const SECRETS: readonly Replacement[] = [
  { pattern: new RegExp(`\\b${BEARER_WORD}(?=[^\\s"']{0,80}\\d)[\\w.~+/=-]{8,}`, 'gi'), by: 'Bearer ***' },
  { pattern: new RegExp(`\\b${keyPattern(MIN_KEY_REST)}`, 'g'), by: '$1***' },
  { pattern: new RegExp(`\\b${JSON_WEB_TOKEN}`, 'g'), by: '***' },
  { pattern: /([?&](?:api[-_]?key|key|token|access_token)=)[^&\s"']{4,}/gi, by: '$1***' },
]

const LOCAL_PATHS: readonly Replacement[] = [
  {
    pattern:
      /(?:\bfile:\/\/|(?<![\w.:/-]))\/(?:home|Users|root|usr|opt|var|tmp|etc|mnt|srv|private|workspace|app)\/[^\s"'`()[\]<>,;]{1,400}/g,
    by: '[path]',
  },
  { pattern: /\b[A-Za-z]:\\{1,2}(?:[^\\\n"'<>|:*?]{1,80}\\{1,2}){0,20}[^\s\\"'<>|]{0,80}/g, by: '[path]' },
]

const ENTITIES: readonly Replacement[] = [
  { pattern: /&nbsp;/g, by: ' ' },
  { pattern: /&lt;/g, by: '<' },
  { pattern: /&gt;/g, by: '>' },
  { pattern: /&quot;/g, by: '"' },
  { pattern: /&#0?39;/g, by: "'" },
  { pattern: /&amp;/g, by: '&' },
]

/** An upstream's error text as a client may see it: plain, short, without stack traces, keys and local paths. */
export function cleanWords(text: string): string {
  const read = text.slice(0, MAX_READ_LENGTH)
  const plain = isHtml(read) ? textOfHtml(read) : read
  const masked = replaceAll(replaceAll(withoutStack(plain), SECRETS), LOCAL_PATHS).trim()
  if (masked.length <= MAX_MESSAGE_LENGTH) return masked
  // Half a surrogate pair would not survive the encoding.
  return `${masked.slice(0, MAX_MESSAGE_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A text in which no keys can be seen. */
export function withoutSecrets(text: string): string {
  return replaceAll(text, SECRETS)
}

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((result, { pattern, by }) => result.replace(pattern, by), text)
}

function isHtml(text: string): boolean {
  return /^\s{0,100}(?:<!--|<\?xml|<!doctype|<html|<head|<body|<title|<center|<h1)/i.test(text)
}

function textOfHtml(html: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(html)?.[1]
  const text = title ?? html.replace(/<(script|style)\b[^<]*<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
  return replaceAll(text, ENTITIES).replace(/\s+/g, ' ').trim()
}

/** Python's traceback ends with the error, every other stack follows it. */
function withoutStack(text: string): string {
  const trace = text.indexOf('Traceback (most recent call last)')
  if (trace !== -1) return `${text.slice(0, trace)}${lastLine(text.slice(trace))}`
  const stack = /\n\s{0,20}at [^\n]{0,300}[:(]|\n\s{0,4}goroutine \d/.exec(text)
  return stack === null ? text : text.slice(0, stack.index)
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}
