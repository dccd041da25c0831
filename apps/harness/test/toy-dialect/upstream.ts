import {
  blocksOf,
  type DecodeContext,
  HubError,
  type HubMessage,
  isJsonObject,
  plainReply,
  type Profile,
  type StreamDecoder,
  stopFor,
  type UpstreamDialect,
  usageOf,
} from '@hydra/core'
import { TOY, type ToyAnswer, type ToyDeed, type ToyRequest, type ToyTurn } from './wire.ts'

const profile: Profile = {
  name: TOY,
  keyHeader: 'authorization',
  toolNameLength: 64,
  callIds: { maxLength: 64, pattern: /^[\w-]+$/ },
  models: [],
  consecutiveTurns: 'keep',
  firstTurn: 'any',
}

/** The side on which we speak the toy protocol to an engine. */
export const upstream: UpstreamDialect = {
  defaultProfile: profile,
  keyHeader: 'authorization',
  baseVersion: '/v7',
  encodeRequest({ messages, system, stream }, { model, profile: spoken, client }) {
    const rules = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text)
    const reply = plainReply(model, spoken, client)
    const said: ToyTurn[] = [
      ...rules.map((words): ToyTurn => ({ by: 'rules', words })),
      ...messages.flatMap(turnsOf),
    ]
    for (const { deed } of said) if (deed !== undefined) reply.callIds.add(deed.mark)
    const body: ToyRequest = { engine: model, said, flow: stream === true }
    return {
      path: `/toys/${encodeURIComponent(model)}/talk`,
      query: '',
      headers: {},
      body: { ...body },
      reply,
      notes: [],
    }
  },
  decodeResponse(body, context) {
    const decoder = new ToyDecoder(context)
    const { pieces, oops } = body as ToyAnswer & { readonly oops?: string }
    if (!Array.isArray(pieces)) throw new HubError('api_error', String(oops), { status: 502 })
    for (const piece of pieces as readonly unknown[]) decoder.piece(parsed(JSON.stringify(piece)))
    decoder.end()
  },
  decodeStream: (context) => new ToyDecoder(context),
  decodeError: ({ status, body }) => new HubError('api_error', oopsIn(body), { status }),
  outline: (body) =>
    (body as unknown as ToyRequest).said.map(({ by, words = '', deed, of }, index) => ({
      index,
      role: by,
      blocks: words === '' ? {} : { words: 1 },
      calls: deed === undefined ? 0 : 1,
      results: of === undefined ? 0 : 1,
    })),
}

function turnsOf(message: HubMessage): ToyTurn[] {
  return blocksOf(message).flatMap((block): ToyTurn[] => {
    if (block.type === 'text') {
      return [{ by: message.role === 'assistant' ? 'engine' : 'person', words: block.text }]
    }
    if (block.type === 'tool_use') {
      const deed = { mark: block.id, what: block.name, how: JSON.stringify(block.input) }
      return [{ by: 'engine', deed }]
    }
    if (block.type !== 'tool_result') return []
    return [{ by: 'deed', of: block.tool_use_id, words: wordsOf(block.content) }]
  })
}

function wordsOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

function oopsIn(body: string): string {
  try {
    return String((JSON.parse(body) as { readonly oops?: unknown }).oops)
  } catch {
    return body
  }
}

const REASONS: ReadonlyMap<string, 'end_turn' | 'tool_use' | 'max_tokens'> = new Map([
  ['said', 'end_turn'],
  ['deeds', 'tool_use'],
  ['full', 'max_tokens'],
] as const)

/** A piece as it comes over the wire: it may be anything. */
type Loose = Readonly<Partial<Record<'oops' | 'words' | 'deed' | 'bye' | 'heard' | 'spoken', unknown>>>

class ToyDecoder implements StreamDecoder {
  readonly #context: DecodeContext
  #bye: Loose | undefined
  #deeds = 0

  constructor(context: DecodeContext) {
    this.#context = context
  }

  get finished(): boolean {
    return this.#bye !== undefined
  }

  event(_name: string | undefined, data: string): void {
    this.piece(parsed(data))
  }

  piece(piece: Loose): void {
    const { writer, reply, messageId } = this.#context
    if (this.finished) return
    if ('oops' in piece) throw new HubError('api_error', String(piece.oops), { status: 502 })
    if ('words' in piece) writer.text(String(piece.words))
    if ('bye' in piece) this.#bye = piece
    if (!('deed' in piece)) return
    const { mark, what, how } = checkedDeed(piece.deed)
    this.#deeds += 1
    writer.begin({ type: 'tool_use', id: reply.callIds.claim(mark, `${messageId}_0`), name: what })
    writer.inputJson(how)
    writer.closeBlock()
  }

  strayLine(): void {
    // The toy protocol has none.
  }

  end(): void {
    const { writer } = this.#context
    if (this.#bye === undefined) throw new HubError('api_error', 'the engine broke off', { status: 502 })
    const { bye, heard, spoken } = this.#bye
    const reason = REASONS.get(String(bye))
    if (reason === undefined)
      throw new HubError('api_error', 'the engine ends for no reason', { status: 502 })
    const stop = stopFor(reason === 'tool_use' && this.#deeds === 0 ? 'end_turn' : reason)
    writer.stop(stop, usageOf({ input_tokens: Number(heard) || 0, output_tokens: Number(spoken) || 0 }))
  }
}

function checkedDeed(deed: unknown): ToyDeed {
  const { mark = '', what, how } = (isJsonObject(deed) ? deed : {}) as Partial<ToyDeed>
  const input: unknown = typeof how === 'string' ? JSON.parse(how) : undefined
  if (typeof what === 'string' && isJsonObject(input)) return { mark, what, how: JSON.stringify(input) }
  throw new HubError('api_error', 'the engine wants what is no deed', { status: 502 })
}

function parsed(data: string): Loose {
  try {
    const value: unknown = JSON.parse(data)
    if (isJsonObject(value)) return value
    throw new TypeError('expected an object')
  } catch (cause) {
    throw new HubError('api_error', 'the engine says what is no piece', { status: 502, cause })
  }
}
