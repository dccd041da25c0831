import type { ReplyContext, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { registry } from '../../src/dialects/registry.ts'
import { type Translation, translateAnswer } from '../../src/exchange/translation.ts'
import { mapMemory } from '../chat-client/told.ts'
import { FOLDER as GEMINI_FOLDER, geminiReply } from '../gemini/translator.ts'
import { type StreamFixture, streamFixtures } from '../streams/fixtures.ts'
import { type AnswerSetup, ESTIMATED_INPUT, replyFor, requestFor } from '../streams/translator.ts'
import { readerOf } from './client-reader.ts'
import { toldBy } from './pair.ts'

/** Where the answers of an upstream dialect are, and what their requests said. */
export interface Source {
  readonly upstream: string
  /** Below `fixtures/streams`. */
  readonly folder: string
  readonly reply: (setup: AnswerSetup) => ReplyContext
}

/** The context of an answer, from a small request that was really encoded with the default profile. */
function replyBy(upstream: UpstreamDialect): Source['reply'] {
  return (setup) => {
    const target = { model: setup.model ?? 'some-model', profile: upstream.defaultProfile }
    return upstream.encodeRequest(requestFor(setup), target).reply
  }
}

/** Dialects whose fixtures need nothing but the default profile. */
export const PLAIN_SOURCES: readonly Source[] = ['openai-responses', 'anthropic'].map((upstream) => ({
  upstream,
  folder: `${upstream}/`,
  reply: replyBy(registry.upstream(upstream)),
}))

const SOURCES: readonly Source[] = [
  { upstream: 'openai-chat', folder: '', reply: replyFor },
  ...PLAIN_SOURCES,
  { upstream: 'gemini', folder: GEMINI_FOLDER, reply: geminiReply },
]

/** A fixture on its way from its upstream to a client. */
export interface PlayedFixture extends StreamFixture {
  readonly client: string
  readonly upstream: string
  /** Where its golden is, below `fixtures/streams`. */
  readonly file: string
  /** A new translation of it. */
  translation(stream: boolean): Translation
}

/** Every fixture with every registered client. */
export function playedFixtures(): PlayedFixture[] {
  return SOURCES.flatMap(({ upstream, folder, reply }) =>
    streamFixtures(folder).flatMap((fixture) =>
      registry.clients.map(({ name: client }) => ({
        name: fixture.name,
        bytes: fixture.bytes,
        setup: fixture.setup,
        client,
        upstream,
        file: `${folder}clients/${client}/${fixture.name}.sse`,
        translation: (stream) => translationOf({ client, upstream, stream, reply: reply(fixture.setup) }),
      })),
    ),
  )
}

interface Parts {
  readonly client: string
  readonly upstream: string
  readonly stream: boolean
  readonly reply: ReplyContext
}

function translationOf({ client: name, upstream, stream, reply }: Parts): Translation {
  const client = registry.client(name)
  const { body, ...known } = readerOf(name).ask(stream)
  const call = plainCall(body, { memory: mapMemory(), now: 1_700_000_000_000, ...known })
  return translateAnswer({
    upstream: registry.upstream(upstream),
    client,
    clientReply: client.decodeRequest(call).reply,
    reply: { ...reply, model: 'test-model', takesClosingProof: true },
    messageId: client.newId.message('test'),
    inputEstimate: ESTIMATED_INPUT,
  })
}

/** What the client of a fixture is told, and the translation that told it. */
export function playFixture(
  fixture: PlayedFixture,
  stream = true,
): { output: string; translation: Translation } {
  const translation = fixture.translation(stream)
  return { output: toldBy(translation, [fixture.bytes]), translation }
}
