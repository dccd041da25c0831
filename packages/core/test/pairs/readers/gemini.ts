import type { ClientReader, Told, ToldCall, ToldWords } from '../client-reader.ts'
import { TOOLS } from '../meant-answer.ts'
import { demand, type Fields, same } from './read-items.ts'

/** A client of Google's own API that wants to see thoughts. */
export const geminiReader: ClientReader = {
  keepsOrder: true,
  carriesProofs: false,
  ask: (stream) => callOf([FIRST], stream),
  askAgain: (answers) => callOf([FIRST, ...answers.flatMap(round)], true),
  read,
  readWhole,
}

const FIRST = { role: 'user', parts: [{ text: 'Hello.' }] }
const FILTERS = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'])

function callOf(contents: readonly unknown[], stream: boolean): ReturnType<ClientReader['ask']> {
  return {
    path: `/v1beta/models/gemini-test:${stream ? 'streamGenerateContent' : 'generateContent'}`,
    params: { model: 'gemini-test' },
    query: stream ? { alt: 'sse' } : {},
    body: {
      contents,
      tools: [{ functionDeclarations: TOOLS.map((name) => ({ name, description: name })) }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    },
  }
}

/** Reads a stream: events of nothing but data, none without parts, one finish in the last of them. */
function read(output: string): Told {
  const events = output.split('\r\n\r\n')
  const last = events.pop() ?? ''
  const reader = new ChunkReader()
  for (const event of events) {
    demand(/^data: [^\r\n\u0085\u2028\u2029]+$/.test(event), `no event of one line of data: ${event}`)
    reader.chunk(JSON.parse(event.slice('data: '.length)) as Fields)
  }
  // Older SDKs notice an error only where it stands without `data:`.
  same(last, reader.failure === undefined ? '' : JSON.stringify({ error: reader.failure }))
  return reader.told()
}

function readWhole(body: string): Told {
  const reader = new ChunkReader()
  reader.chunk(JSON.parse(body) as Fields)
  return reader.told()
}

class ChunkReader {
  readonly #parts: Fields[] = []
  #head: unknown
  #finish: string | undefined
  #usage: Fields | undefined
  failure: Fields | undefined

  chunk(chunk: Fields): void {
    demand(this.#finish === undefined && this.failure === undefined, 'something after the end')
    if ('error' in chunk) {
      this.#fail(chunk['error'] as Fields)
      return
    }
    const { candidates, usageMetadata: usage, modelVersion, responseId, ...others } = chunk
    same(others, {})
    this.#head ??= [modelVersion, responseId]
    same([modelVersion, responseId], this.#head)
    if (usage !== undefined) this.#usage = usage as Fields
    const [candidate, ...more] = candidates as Fields[]
    same([candidate?.['index'], more], [0, []])
    this.#content(candidate?.['content'] as Fields)
    if (candidate?.['finishReason'] !== undefined) this.#finish = candidate['finishReason'] as string
  }

  told(): Told {
    const blocks = this.failure === undefined ? blocksOf(this.#parts) : []
    demand((this.#finish === undefined) === (this.failure !== undefined), 'the stream has no end')
    return {
      blocks,
      stop: this.#finish === undefined ? undefined : stopOf(this.#finish, blocks),
      usage: this.#finish === undefined ? undefined : this.#counts(),
      error: this.failure && String(this.failure['message']),
      turn: this.#parts,
    }
  }

  #content({ parts, role }: Fields): void {
    demand(role === 'model' && Array.isArray(parts) && parts.length > 0, 'a chunk without parts')
    this.#parts.push(...(parts as Fields[]))
  }

  #fail(error: Fields): void {
    demand(
      Number.isInteger(error['code']) && /^[A-Z_]+$/.test(String(error['status'])),
      'the error has no code',
    )
    demand(typeof error['message'] === 'string' && error['message'] !== '', 'an error without a message')
    this.failure = error
  }

  #counts(): Told['usage'] {
    const usage = this.#usage ?? {}
    const input = Number(usage['promptTokenCount'])
    const output = Number(usage['candidatesTokenCount']) + Number(usage['thoughtsTokenCount'] ?? 0)
    same(usage['totalTokenCount'], input + output)
    return { input, output }
  }
}

function stopOf(finish: string, blocks: Told['blocks']): NonNullable<Told['stop']> {
  if (finish === 'MAX_TOKENS') return 'length'
  if (FILTERS.has(finish)) return 'filter'
  same(finish, 'STOP')
  return blocks.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
}

/** Parts of one kind that follow one another are one text. */
function blocksOf(parts: readonly Fields[]): (ToldWords | ToldCall)[] {
  const blocks: (ToldWords | ToldCall)[] = []
  for (const { text, thought, functionCall } of parts) {
    const last = blocks.at(-1)
    const type = thought === true ? 'thinking' : 'text'
    if (functionCall !== undefined) {
      const { id, name, args } = functionCall as Fields
      blocks.push({ type: 'tool_use', id: String(id), name: String(name), input: args })
    } else if (typeof text !== 'string') {
      // What Google's own tools did is not for the client to answer.
    } else if (last?.type === type) {
      blocks[blocks.length - 1] = { ...last, content: last.content + text }
    } else if (text !== '') blocks.push({ type, content: text, proof: '' })
  }
  return blocks
}

function round({ blocks, turn }: Told): object[] {
  const results = blocks
    .filter((block) => block.type === 'tool_use')
    .map(({ id, name }) => ({ functionResponse: { id, name, response: { output: 'done' } } }))
  return [
    { role: 'model', parts: turn },
    { role: 'user', parts: [...results, { text: 'Go on.' }] },
  ]
}
