import type { HubError, OverflowCounts } from '../hub/error.ts'
import { upstreamError } from './upstream-error.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { JsonObject } from '../json/json-object.ts'
import { jsonIn } from '../json/wire.ts'
import type { UpstreamFailure } from '../dialects/dialect.ts'

/** What one error payload says, gathered from whichever of the known shapes it has. */
interface ErrorReading {
  readonly message: string
  readonly labels: readonly string[]
  readonly status: number | undefined
  readonly overflow: OverflowCounts | undefined
  /** How long to wait, in seconds, where a field says so. */
  readonly wait: string | undefined
}

const NOTHING: ErrorReading = {
  message: '',
  labels: [],
  status: undefined,
  overflow: undefined,
  wait: undefined,
}

/** Errors wrap errors: a gateway's around a provider's, as an object or as JSON in a string. */
const MAX_NESTING = 12

/** Beyond this a body is no error message, and is not searched for JSON. */
const MAX_PARSED_LENGTH = 100_000

const MAX_SHOWN_ISSUES = 5

/** Where the words are; the last ones are of gateways: AWS's two, Baidu's and Apigee's. */
const WORD_FIELDS = [
  'message',
  'msg',
  'status_msg',
  'Message',
  'errorMessage',
  'error_msg',
  'faultstring',
] as const

/** Where a status is, if it is one: many use these fields for names and numbers of their own. */
const STATUS_FIELDS = ['status_code', 'status', 'code', 'http_status_code', 'http_code'] as const

/** MiniMax's numbers, by the names that others use. */
const MINIMAX_LABELS: Readonly<Record<string, string>> = {
  1002: 'rate_limit_exceeded',
  1004: 'authentication_error',
  1008: 'insufficient_balance',
  1026: 'content_filter', // of the request
  1027: 'content_filter', // of the answer
  1039: 'context_length_exceeded',
  1041: 'rate_limit_exceeded',
  2013: 'invalid_request_error',
  2045: 'rate_limit_exceeded',
  2049: 'invalid_api_key',
  2056: 'rate_limit_exceeded',
}

/** An HTTP answer with an error status, as the error for the client. */
export function decodeError(failure: UpstreamFailure): HubError {
  const { status, headers, body } = failure
  // An error may come as the one event of a stream, whose field Llama-box even calls `error`.
  const text = body.replace(/^\s*(?:event:[^\n]{0,80}\r?\n)?(?:data|error):\s*/, '').trim()
  const reading = readText(text, MAX_NESTING)
  return upstreamError({ ...reading, status, headers: { ...waitHeader(reading), ...headers } })
}

/** An error that came in a stream or in an answer with a status of success, as the error for the client. */
export function decodeErrorPayload(payload: unknown, status?: number): HubError {
  const reading = readValue(payload, MAX_NESTING)
  const told = isErrorStatus(status) ? status : reading.status
  return upstreamError({ ...reading, status: told, headers: waitHeader(reading) })
}

function waitHeader({ wait }: ErrorReading): Record<string, string> {
  return wait === undefined ? {} : { 'retry-after': wait }
}

/** Whether a value from a stream, or a whole body, is an error rather than a part of an answer. */
export function isErrorPayload(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && isErrorPayload(value[0])
  if (!isJsonObject(value)) return false
  if (saysSomething(value['error']) || value['object'] === 'error' || value['type'] === 'error') return true
  if (saysSomething(groqError(value))) return true
  const { choices } = value
  const answers = Array.isArray(choices) ? choices : []
  if (answers.length === 0 && isFailedBaseResponse(value['base_resp'])) return true
  if (Array.isArray(choices)) return answers.some(hasError)
  return [value['detail'], value['errors'], textOf(value['message']), failureWords(value)].some(saysSomething)
}

/** What went wrong, in the frame that Zhipu and others put around every answer of theirs. */
function failureWords({ success, msg }: JsonObject): string {
  return success === false ? textOf(msg) : ''
}

/** Why Groq stopped an answer before its end, which it tells in a corner of an ordinary chunk. */
function groqError({ x_groq: corner }: JsonObject): unknown {
  return isJsonObject(corner) ? corner['error'] : undefined
}

function hasError(choice: unknown): boolean {
  return isJsonObject(choice) && saysSomething(choice['error'])
}

function isFailedBaseResponse(value: unknown): boolean {
  return isJsonObject(value) && typeof value['status_code'] === 'number' && value['status_code'] !== 0
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0
  return isJsonObject(value) && Object.keys(value).length > 0
}

function readValue(value: unknown, depth: number): ErrorReading {
  if (depth === 0) return NOTHING
  if (typeof value === 'string') return readText(value, depth)
  if (Array.isArray(value)) return readList(value, depth)
  return isJsonObject(value) ? readObject(value, depth) : NOTHING
}

/** A text may be JSON, or hold some: the words inside take the place of the braces around them. */
function readText(text: string, depth: number): ErrorReading {
  const start = text.search(/[{[]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (depth === 0 || start === -1 || end < start || text.length > MAX_PARSED_LENGTH) {
    return { ...NOTHING, message: text }
  }
  const inner = jsonIn(text.slice(start, end + 1))
  if (typeof inner !== 'object' || inner === null) return { ...NOTHING, message: text }
  const reading = readValue(inner, depth - 1)
  const isWhole = start === 0 && end === text.length - 1
  if (reading.message === '' && !isWhole) return { ...reading, message: text }
  return { ...reading, message: text.slice(0, start) + reading.message + text.slice(end + 1) }
}

/** Gemini puts its one error in a list; FastAPI lists what is wrong with each field. */
function readList(list: readonly unknown[], depth: number): ErrorReading {
  const issues = issuesOf(list)
  return issues === '' ? readValue(list[0], depth - 1) : { ...NOTHING, message: issues }
}

function issuesOf(list: unknown): string {
  if (!Array.isArray(list)) return ''
  return list.slice(0, MAX_SHOWN_ISSUES).map(issueOf).filter(Boolean).join('; ')
}

function issueOf(issue: unknown): string {
  if (!isJsonObject(issue) || typeof issue['msg'] !== 'string') return ''
  const place = Array.isArray(issue['loc']) ? issue['loc'].join('.') : ''
  return place === '' ? issue['msg'] : `${place}: ${issue['msg']}`
}

function readObject(value: JsonObject, depth: number): ErrorReading {
  const own = ownReading(value)
  const said = readText(own.message, depth - 1)
  const inner = readValue(innerError(value), depth - 1)
  return {
    message: joined(said.message, inner.message),
    labels: [...own.labels, ...said.labels, ...inner.labels],
    status: own.status ?? said.status ?? inner.status,
    overflow: own.overflow ?? said.overflow ?? inner.overflow,
    wait: own.wait ?? said.wait ?? inner.wait,
  }
}

/** The part of an object that tells more than the object itself. */
function innerError(value: JsonObject): unknown {
  const { error, errors, detail, fault, choices, metadata, base_resp: base, details, message } = value
  const failed = Array.isArray(choices) ? choices.find(hasError) : undefined
  const raw = isJsonObject(metadata) ? metadata['raw'] : undefined
  const issues = issuesOf(details)
  const told = typeof message === 'string' ? '' : message
  const failedBase = isFailedBaseResponse(base) ? base : ''
  const stopped = groqError(value)
  return [error, errors, failed, detail, fault, told, failedBase, raw, issues, stopped].find(saysSomething)
}

function ownReading(value: JsonObject): ErrorReading {
  const names = [value['code'], value['type'], value['status'], value['error_type'], minimaxLabel(value)]
  const statuses = STATUS_FIELDS.map((field) => Number(value[field]))
  return {
    message: WORD_FIELDS.map((field) => textOf(value[field])).find(saysSomething) ?? '',
    labels: names.map(textOrNumber).filter((label) => label !== ''),
    status: statuses.find(isErrorStatus),
    overflow: llamaCounts(value),
    wait: waitOf(value),
  }
}

/** OpenRouter's own words are always the same; the provider's follow in `metadata.raw`. */
function joined(outer: string, inner: string): string {
  if (outer === '' || inner.includes(outer)) return inner
  return inner === '' || outer.includes(inner) ? outer : `${outer}: ${inner}`
}

/** Google's detail about a retry, which its OpenAI-compatible endpoint passes on: `retryDelay: "34.07s"`. */
function waitOf({ details }: JsonObject): string | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = isJsonObject(detail) ? detail['retryDelay'] : undefined
    const seconds = typeof delay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay)?.[1] : undefined
    if (seconds !== undefined) return seconds
  }
  return undefined
}

function llamaCounts(value: JsonObject): OverflowCounts | undefined {
  const { n_prompt_tokens: tokens, n_ctx: limit } = value
  return typeof tokens === 'number' && typeof limit === 'number' ? { tokens, limit } : undefined
}

function minimaxLabel(value: JsonObject): string {
  return typeof value['status_msg'] === 'string' ? (MINIMAX_LABELS[String(value['status_code'])] ?? '') : ''
}

function isErrorStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 599
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textOrNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : textOf(value)
}
