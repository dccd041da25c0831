/** A call as a Chat client puts it together. */
export interface ReadCall {
  readonly id: string
  readonly type: 'function' | 'custom'
  readonly name: string
  input: string
}

/** What a stream of chunks says, once its grammar was checked. */
export interface ReadChunks {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ReadCall[]
  readonly functionCall: { name: string; input: string } | undefined
  readonly details: readonly Fields[]
  /** Absent after an error. */
  readonly finish: string | undefined
  readonly usage: Fields | undefined
  readonly error: Fields | undefined
}

type Fields = Readonly<Record<string, unknown>>

const DELTA_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning_content',
  'reasoning_details',
  'tool_calls',
  'function_call',
])
const FINISHES: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'function_call',
])

/**
 * Reads a stream as OpenAI documents it and throws at the first violation: events of nothing but `data`, the role
 * first and once, calls numbered without gaps and named once, one finish, usage behind it if it was asked for,
 * `[DONE]` at the end; or an error, behind which nothing comes.
 */
export function readChunks(output: string, { usage }: { readonly usage: boolean }): ReadChunks {
  const reader = new ChunkReader(usage)
  for (const data of eventsOf(output)) reader.read(data)
  return reader.result()
}

function eventsOf(output: string): string[] {
  demand(output === '' || output.endsWith('\n\n'), 'the last event has no end')
  return output
    .split('\n\n')
    .slice(0, -1)
    .flatMap((event) => {
      if (event.startsWith(':')) return []
      demand(event.startsWith('data: ') && !event.includes('\n'), `no event of one line of data: ${event}`)
      return event.slice('data: '.length)
    })
}

class ChunkReader {
  readonly #wantsUsage: boolean
  #state: 'new' | 'open' | 'finished' | 'counted' | 'done' | 'failed' = 'new'
  #head: Fields = {}
  #text = ''
  #reasoning = ''
  readonly #calls: ReadCall[] = []
  #functionCall: ReadChunks['functionCall']
  readonly #details: Fields[] = []
  #finish: string | undefined
  #usage: Fields | undefined
  #error: Fields | undefined

  constructor(wantsUsage: boolean) {
    this.#wantsUsage = wantsUsage
  }

  read(data: string): void {
    demand(this.#state !== 'done' && this.#state !== 'failed', `something after the end: ${data}`)
    if (data === '[DONE]') {
      demand(
        this.#state === (this.#wantsUsage ? 'counted' : 'finished'),
        `[DONE] in the state ${this.#state}`,
      )
      this.#state = 'done'
      return
    }
    const chunk = objectOf(JSON.parse(data))
    if ('error' in chunk) this.#fail(chunk)
    else this.#chunk(chunk)
  }

  result(): ReadChunks {
    demand(this.#state === 'done' || this.#state === 'failed', `the stream ends in the state ${this.#state}`)
    return {
      id: String(this.#head['id']),
      model: String(this.#head['model']),
      text: this.#text,
      reasoning: this.#reasoning,
      calls: this.#calls,
      functionCall: this.#functionCall,
      details: this.#details,
      finish: this.#finish,
      usage: this.#usage,
      error: this.#error,
    }
  }

  #fail(chunk: Fields): void {
    same(Object.keys(chunk), ['error'])
    const error = objectOf(chunk['error'])
    same(Object.keys(error), ['message', 'type', 'param', 'code'])
    demand(typeof error['message'] === 'string' && error['message'] !== '', 'an error without a message')
    this.#error = error
    this.#state = 'failed'
  }

  #chunk(chunk: Fields): void {
    const { id, object, created, model, choices, usage, ...others } = chunk
    same(others, {})
    if (this.#state === 'new') this.#head = { id, object, created, model }
    same({ id, object, created, model }, this.#head)
    demand(
      object === 'chat.completion.chunk' && Number.isInteger(created) && id !== '' && model !== '',
      'its head',
    )
    demand('usage' in chunk === this.#wantsUsage, 'usage where it was not asked for, or none where it was')
    demand(Array.isArray(choices), 'choices are no array')
    const [choice, ...more] = choices as unknown[]
    same(more, [])
    if (choice === undefined) this.#count(objectOf(usage))
    else {
      demand(usage === undefined || usage === null, 'usage beside a choice')
      this.#choice(objectOf(choice))
    }
  }

  #count(usage: Fields): void {
    demand(this.#state === 'finished', `usage in the state ${this.#state}`)
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage
    demand(Number(prompt) + Number(completion) === total, 'the usage does not add up')
    this.#usage = usage
    this.#state = 'counted'
  }

  #choice({ index, delta, finish_reason: finish, ...others }: Fields): void {
    same([index, others], [0, {}])
    demand(this.#state === 'new' || this.#state === 'open', `a choice in the state ${this.#state}`)
    this.#delta(objectOf(delta))
    this.#state = 'open'
    if (finish === null) return
    demand(typeof finish === 'string' && FINISHES.has(finish), `the finish ${JSON.stringify(finish)}`)
    same(delta, {})
    this.#finish = finish as string
    this.#state = 'finished'
  }

  #delta(delta: Fields): void {
    same(
      Object.keys(delta).filter((key) => !DELTA_FIELDS.has(key)),
      [],
    )
    same(delta['role'], this.#state === 'new' ? 'assistant' : undefined)
    if ('content' in delta) this.#text += piece(delta['content'], this.#state === 'new')
    if ('reasoning_content' in delta) this.#reasoning += piece(delta['reasoning_content'])
    if ('reasoning_details' in delta) this.#details.push(...(delta['reasoning_details'] as Fields[]))
    if ('function_call' in delta) this.#legacy(objectOf(delta['function_call']))
    if ('tool_calls' in delta) for (const call of delta['tool_calls'] as unknown[]) this.#call(objectOf(call))
  }

  #legacy({ name, arguments: input, ...others }: Fields): void {
    same(others, {})
    if (this.#functionCall === undefined) {
      same(input, '')
      this.#functionCall = { name: piece(name), input: '' }
      return
    }
    same(name, undefined)
    this.#functionCall.input += piece(input)
  }

  #call(call: Fields): void {
    const { index } = call
    const open = this.#calls[Number(index)]
    if (open === undefined) {
      same(index, this.#calls.length)
      this.#calls.push(firstPiece(call))
      return
    }
    demand(index === this.#calls.length - 1, 'a piece for a call that is over')
    const field = open.type === 'custom' ? 'input' : 'arguments'
    const inner = objectOf(call[open.type])
    same([Object.keys(call), Object.keys(inner)], [['index', open.type], [field]])
    open.input += piece(inner[field])
  }
}

function firstPiece({ id, type, ...rest }: Fields): ReadCall {
  demand(type === 'function' || type === 'custom', `a call of the type ${String(type)}`)
  const kind = type as ReadCall['type']
  const { name, ...inner } = objectOf(rest[kind])
  same(inner, kind === 'custom' ? { input: '' } : { arguments: '' })
  return { id: piece(id), type: kind, name: piece(name), input: '' }
}

function piece(value: unknown, mayBeEmpty = false): string {
  demand(typeof value === 'string' && (mayBeEmpty || value !== ''), `no text: ${JSON.stringify(value)}`)
  return String(value)
}

function objectOf(value: unknown): Fields {
  demand(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `no object: ${JSON.stringify(value)}`,
  )
  return value as Fields
}

function same(actual: unknown, expected: unknown): void {
  const [have, want] = [JSON.stringify(actual), JSON.stringify(expected)]
  demand(have === want, `expected ${want}, got ${have}`)
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
