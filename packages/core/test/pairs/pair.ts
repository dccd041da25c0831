import { plainCall } from '../../src/dialects/plain-call.ts'
import type {
  ClientCall,
  ClientDialect,
  EncodedRequest,
  ReplyContext,
  UpstreamDialect,
} from '../../src/dialects/dialect.ts'
import { registry } from '../../src/dialects/registry.ts'
import { type Translation, translateAnswer } from '../../src/exchange/translation.ts'
import { CallIdsInUse } from '../../src/identity/call-ids.ts'
import { mapMemory } from '../chat-client/told.ts'
import { type Asked, type ClientReader, readerOf } from './client-reader.ts'
import { type UpstreamWriter, writerOf } from './upstream-writer.ts'

/** A client of one dialect and an upstream of another, or of the same. */
export interface Pair {
  readonly name: string
  readonly clientName: string
  readonly upstreamName: string
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
  readonly reader: ClientReader
  readonly writer: UpstreamWriter
}

/** Every registered client with every registered upstream. */
export const PAIRS: readonly Pair[] = registry.clients.flatMap(({ name, client }) =>
  registry.upstreams.map(({ name: upstreamName, upstream }) => ({
    name: `${name} × ${upstreamName}`,
    clientName: name,
    upstreamName,
    client,
    upstream,
    reader: readerOf(name),
    writer: writerOf(upstreamName),
  })),
)

const NOW = 1_700_000_000_000

/** One exchange of a client: its memory is the same for all of its requests. */
export class Exchange {
  readonly #pair: Pair
  readonly #memory = mapMemory()

  constructor(pair: Pair) {
    this.#pair = pair
  }

  /** What the upstream gets for a client's request. */
  encode(asked: Asked): EncodedRequest {
    const { client } = this.#pair
    return this.#encode(client.decodeRequest(this.#call(asked)).request)
  }

  /** The same if it goes to the upstream of another pair, as after a change of the route. */
  encodeFor(other: Pair, asked: Asked): EncodedRequest {
    const { request } = this.#pair.client.decodeRequest(this.#call(asked))
    const { upstream, client } = other
    return upstream.encodeRequest(request, { model: 'some-model', profile: upstream.defaultProfile, client })
  }

  /** The translation of the answer to a client's request. */
  translation(asked: Asked, known?: ReplyContext): Translation {
    const { client, upstream } = this.#pair
    const { request, reply: clientReply } = client.decodeRequest(this.#call(asked))
    return translateAnswer({
      upstream,
      client,
      clientReply,
      reply: known ?? this.#encode(request).reply,
      messageId: client.newId.message('1'),
      inputEstimate: 40,
    })
  }

  #call({ body, ...known }: Asked): ClientCall {
    return plainCall(body, { memory: this.#memory, now: NOW, ...known })
  }

  #encode(request: Parameters<UpstreamDialect['encodeRequest']>[0]): EncodedRequest {
    const { upstream, client } = this.#pair
    return upstream.encodeRequest(request, {
      model: 'some-model',
      profile: upstream.defaultProfile,
      client,
      newId: () => 'unique',
    })
  }
}

const encoded = new WeakMap<Pair, ReplyContext>()

/** What a client is told of these pieces of a body and its end. The request is encoded once: sweeps need many. */
export function translate(pair: Pair, ...pieces: readonly Uint8Array[]): string {
  const exchange = new Exchange(pair)
  const asked = pair.reader.ask(true)
  const known = encoded.get(pair) ?? exchange.encode(asked).reply
  encoded.set(pair, known)
  const reply = { ...known, callIds: new CallIdsInUse(pair.client) }
  return toldBy(exchange.translation(asked, reply), pieces)
}

/** Everything that a translation says to these pieces of a body and its end. */
export function toldBy(translation: Translation, pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  let output = ''
  for (const piece of pieces) {
    const raw = translation.pushRaw(piece)
    output += typeof raw === 'string' ? raw : decoder.decode(raw)
  }
  return output + translation.end()
}
