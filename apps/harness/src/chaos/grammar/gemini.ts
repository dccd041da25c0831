import type { ClientGrammar, GrammarResult } from './grammar.ts'

/** What a client of Gemini is told: chunks in events, or in an array without `alt=sse`; one document; errors. */
export const geminiGrammar: ClientGrammar = {
  stream: (output, path) => (/[?&]\$?alt=sse(?:&|$)/.test(path) ? checkEvents(output) : checkArray(output)),
  whole: checkWhole,
  isError,
  refusal: (status, body) => refusalFault(body, status),
}

/** Clients take these for ends of lines, too. */
const LINE_ENDS = /[\r\n\u0085\u2028\u2029]/

/** Checks `chunk* last`, or `chunk* error` and the same error once more without `data:`, which older SDKs look for. */
function checkEvents(output: string): GrammarResult {
  const events = output.split('\r\n\r\n')
  const rest = events.pop() ?? ''
  const state = new ChunkState()
  for (const event of events) {
    if (!event.startsWith('data: ') || LINE_ENDS.test(event))
      return { violation: `this is no event: ${event}` }
    const violation = state.read(event.slice('data: '.length))
    if (violation !== undefined) return { violation }
  }
  const repeated = state.isFailed ? (events.at(-1) ?? '').slice('data: '.length) : ''
  return rest === repeated
    ? state.result()
    : { violation: `behind the last event stands: ${rest.slice(0, 200)}` }
}

/** An error in an event, which may be the upstream's own, and one of ours without `data:`. */
function isError(rest: string): boolean {
  const [, event, raw] = /^[\r\n]*(?:data: ?([^\r\n]*)[\r\n]+)?(\{[^\r\n]*\})?$/.exec(rest) ?? []
  const told = event === undefined ? undefined : parse(event)
  const isEvent = event === undefined || (isObject(told) && Boolean(told['error']))
  const isRaw = raw === undefined || refusalFault(parse(raw)) === undefined
  return isEvent && isRaw && (event ?? raw) !== undefined
}

/** Checks an array of the same, which is closed in any case. */
function checkArray(output: string): GrammarResult {
  const elements = parse(output)
  if (!Array.isArray(elements)) return { violation: `this is no array: ${output.slice(0, 200)}` }
  const state = new ChunkState()
  for (const element of elements) {
    const violation = state.read(JSON.stringify(element))
    if (violation !== undefined) return { violation }
  }
  return state.result()
}

/** Checks the only chunk of an answer in one body. */
function checkWhole(body: string): GrammarResult {
  const state = new ChunkState()
  const violation = state.read(body)
  return violation === undefined ? state.result() : { violation }
}

type Fields = Readonly<Record<string, unknown>>

const CHUNK_FIELDS: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'error',
])

const FINISHES: ReadonlySet<unknown> = new Set(['STOP', 'MAX_TOKENS', 'SAFETY'])

/** What a part can be: words, a call, or what Google's own tools did. */
const PART_KINDS: ReadonlySet<string> = new Set([
  'text',
  'functionCall',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
])

class ChunkState {
  #end: 'clean' | 'error' | undefined
  #head: string | undefined
  readonly #callIds = new Set<unknown>()

  get isFailed(): boolean {
    return this.#end === 'error'
  }

  result(): GrammarResult {
    return this.#end === undefined ? { violation: 'it has no end' } : { end: this.#end }
  }

  read(json: string): string | undefined {
    const chunk = parse(json)
    if (!isObject(chunk)) return `a chunk is no object of JSON: ${json.slice(0, 200)}`
    if (this.#end !== undefined) return 'something comes after the end'
    const unknown = Object.keys(chunk).find((name) => !CHUNK_FIELDS.has(name))
    if (unknown !== undefined) return `a chunk has a field ${unknown}`
    if (chunk['error'] === undefined) return this.#chunk(chunk)
    this.#end = 'error'
    return errorFault(chunk['error'])
  }

  #chunk({ candidates, usageMetadata: usage, modelVersion, responseId }: Fields): string | undefined {
    if (!modelVersion || !responseId) return 'a chunk names no model or no answer'
    const head = JSON.stringify([modelVersion, responseId])
    this.#head ??= head
    if (head !== this.#head) return `a chunk is one of another answer: ${head}`
    const [candidate, ...others] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : []
    if (!isObject(candidate) || others.length > 0) return 'a chunk has not one candidate'
    return this.#candidate(candidate) ?? this.#finish(candidate['finishReason'], usage)
  }

  #candidate({ index, content, finishReason: finish }: Fields): string | undefined {
    if (index !== 0) return `there is a candidate ${JSON.stringify(index)}`
    const { role, parts } = isObject(content) ? content : {}
    if (role !== 'model' || !Array.isArray(parts) || parts.length === 0)
      return 'a chunk has no parts of the model'
    for (const part of parts as readonly unknown[]) {
      const violation = this.#part(part, finish !== undefined)
      if (violation !== undefined) return violation
    }
    return undefined
  }

  #part(part: unknown, isLast: boolean): string | undefined {
    const kinds = isObject(part) ? Object.keys(part).filter((name) => PART_KINDS.has(name)) : []
    if (!isObject(part) || kinds.length !== 1) return `a part is ${kinds.join(' and ') || 'nothing'}`
    const { text = '', functionCall: call } = part
    if (typeof text !== 'string') return 'a text is none'
    if (call === undefined) return undefined
    // Clients run a call as soon as it comes, so it may only come when nothing can fail any more.
    return isLast ? this.#call(call) : 'a call comes before the end'
  }

  #call(call: unknown): string | undefined {
    if (!isObject(call)) return 'a call is no object'
    const { id, name, args } = call
    if (!name || !isObject(args)) return `a call has no name or no arguments: ${JSON.stringify(name)}`
    if (!id || this.#callIds.has(id)) return `the id of a call is not its own: ${JSON.stringify(id)}`
    this.#callIds.add(id)
    return undefined
  }

  #finish(finish: unknown, usage: unknown): string | undefined {
    if (finish === undefined) return undefined
    if (!FINISHES.has(finish)) return `it finishes with ${JSON.stringify(finish)}`
    const counts = isObject(usage) ? usage : {}
    const sum = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'].reduce(
      (total, name) => total + Number(counts[name] ?? (name === 'thoughtsTokenCount' ? 0 : Number.NaN)),
      0,
    )
    if (counts['totalTokenCount'] !== sum) return 'it ends without its usage'
    this.#end = 'clean'
    return undefined
  }
}

function refusalFault(body: unknown, http?: number): string | undefined {
  return errorFault(isObject(body) ? body['error'] : undefined, http)
}

/** What is wrong with a `google.rpc.Status`. */
function errorFault(error: unknown, http?: number): string | undefined {
  if (!isObject(error)) return 'an error is no object'
  const { code, status, message } = error
  const isCode = typeof code === 'number' && code >= 400 && (http ?? code) === code
  if (!isCode || !/^[A-Z_]+$/.test(String(status)))
    return `an error has the code ${JSON.stringify([code, status])}`
  return typeof message === 'string' && message !== '' ? undefined : 'an error says nothing'
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
