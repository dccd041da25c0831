import { isJsonObject } from '@hydra/core'
import { parseText, textOf } from '@hydra/inspector/summary'
import { broken, type Entry, NOTES, type Skipped, sortEntries, type Source } from './imported.ts'
import { otelExchange, type OtelCall } from './otel-exchange.ts'
import { type Attributes, attributesOf, textAt, timeOf } from './otlp-attributes.ts'

type Fields = Readonly<Record<string, unknown>>

const LACKS = [
  'one of the two legs: a span is what a program and a provider said',
  'the bytes of requests and answers: they are written anew in the dialect of the provider, from what spans say',
  'headers',
  'chunks and their times: each body is one piece at the time its span ended',
  'requests and answers whose words were not captured',
  NOTES,
]

/** The event that carries the words of a call, where they are not on its span. */
const DETAILS = 'gen_ai.client.inference.operation.details'

/** Whether a document is what OpenTelemetry exports as JSON: traces, or logs. */
export function isOtel(document: unknown): boolean {
  return (
    isJsonObject(document) &&
    (Array.isArray(document['resourceSpans']) || Array.isArray(document['resourceLogs']))
  )
}

/** Reads exported spans and log records: one document, or one on each line as the collector writes them. */
export function readOtel(text: string): Source {
  const { documents, torn } = documentsIn(text)
  const spans = documents.flatMap((document) => inScopes(document, ['resourceSpans', 'scopeSpans', 'spans']))
  const records = documents.flatMap((document) =>
    inScopes(document, ['resourceLogs', 'scopeLogs', 'logRecords']),
  )
  const details = records.filter(isDetails)
  const bySpan = new Map(details.map((record) => [idOf(record), record]))
  const ofSpans = new Set(spans.map(idOf))
  const calls = [
    ...spans.map((span, index) => ({ place: `span ${index + 1}`, span, record: bySpan.get(idOf(span)) })),
    ...details
      .filter((record) => !ofSpans.has(idOf(record)))
      .map((record, index) => ({ place: `event ${index + 1}`, span: undefined, record })),
  ]
  const sorted = sortEntries(
    calls,
    (call) => readCall(call as Found),
    (index) => calls[index]?.place ?? '',
  )
  return { from: 'otel', lacks: LACKS, exchanges: sorted.exchanges, skipped: [...sorted.skipped, ...torn] }
}

interface Found {
  readonly span: unknown
  readonly record: unknown
}

function documentsIn(text: string): { documents: readonly unknown[]; torn: readonly Skipped[] } {
  const whole = parseText(text)
  if (whole !== undefined) return { documents: [whole], torn: [] }
  const lines = text
    .split('\n')
    .map((line, index) => ({ document: parseText(line), line, number: index + 1 }))
  const filled = lines.filter(({ line }) => line.trim() !== '')
  return {
    documents: filled.map(({ document }) => document),
    torn: filled
      .filter(({ document }) => document === undefined)
      .map(({ number }) => ({ place: `line ${number}`, reason: 'it is no JSON', isBroken: true })),
  }
}

/** Everything of a kind, below its resources and scopes. */
function inScopes(document: unknown, [first = '', ...below]: readonly string[]): readonly unknown[] {
  const list = isJsonObject(document) ? document[first] : undefined
  if (!Array.isArray(list)) return []
  return below.length === 0 ? list : list.flatMap((item: unknown) => inScopes(item, below))
}

function isDetails(record: unknown): boolean {
  if (!isJsonObject(record)) return false
  return record['eventName'] === DETAILS || attributesOf(record['attributes']).get('event.name') === DETAILS
}

/** What a span and the log record of its event have in common. */
function idOf(item: unknown): unknown {
  const { traceId, spanId }: Fields = isJsonObject(item) ? item : {}
  // One that names no span is nobody's but its own.
  return typeof spanId === 'string' && spanId !== '' ? `${String(traceId)} ${spanId}` : item
}

function readCall({ span, record }: Found): Entry {
  if (span !== undefined && !isJsonObject(span)) return broken('expected an object')
  const attributes = gathered(span, isJsonObject(record) ? record : undefined)
  const operation = textAt(attributes, 'gen_ai.operation.name')
  const isOfModel = [...attributes.keys()].some((name) => name.startsWith('gen_ai.'))
  if (!isOfModel) return { reason: 'it is about no model', isBroken: false }
  if (operation !== undefined && !ASKING.has(operation)) {
    return { reason: `${operation} asks no model for an answer`, isBroken: false }
  }
  return otelExchange({ attributes, ...timesOf(span, record), failure: failureOf(span, attributes) })
}

/** The operations that ask a model for an answer; what is around them, such as agents and tools, repeats their words. */
const ASKING: ReadonlySet<string> = new Set(['chat', 'generate_content', 'text_completion'])

/** The attributes of a span, of its events and of the log record of its event. */
function gathered(span: Fields | undefined, record: Fields | undefined): Attributes {
  const events: unknown[] = Array.isArray(span?.['events']) ? span['events'] : []
  const details = events.filter(isJsonObject).filter(({ name }) => name === DETAILS)
  const sources = [span, ...details, record].filter((source) => source !== undefined)
  const all = new Map<string, unknown>()
  for (const { attributes } of sources) {
    for (const [name, value] of attributesOf(attributes)) all.set(name, value)
  }
  return all
}

function timesOf(span: unknown, record: unknown): Pick<OtelCall, 'begun' | 'over'> {
  if (isJsonObject(span))
    return { begun: timeOf(span['startTimeUnixNano']), over: timeOf(span['endTimeUnixNano']) }
  const at = isJsonObject(record)
    ? timeOf(record['timeUnixNano'] ?? record['observedTimeUnixNano'])
    : undefined
  return { begun: at, over: at }
}

/** OTLP's code of a status that is an error. */
const STATUS_ERROR = 2

function failureOf(span: unknown, attributes: Attributes): string | undefined {
  const status = isJsonObject(span) && isJsonObject(span['status']) ? span['status'] : {}
  const isError = status['code'] === STATUS_ERROR || status['code'] === 'STATUS_CODE_ERROR'
  const type = textAt(attributes, 'error.type')
  if (!isError && type === undefined) return undefined
  return [type, textOf(status['message'])].filter(Boolean).join(': ') || 'the span says no more'
}
