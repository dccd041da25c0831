import { expect, test } from 'vitest'
import { collectAnswer, translateStream } from '../../src/stream/translate.ts'
import { registry } from '../../src/dialects/registry.ts'
import { clientGolden, golden, streamFixtures } from '../streams/fixtures.ts'
import { ESTIMATED_INPUT, MESSAGE_ID, translate } from '../streams/translator.ts'
import { readerOf } from './client-reader.ts'
import { toldBy } from './pair.ts'
import { playedFixtures, playFixture, PLAIN_SOURCES } from './played-fixtures.ts'

const fixtures = playedFixtures()

test.for(fixtures)('$client × $upstream: $name becomes its golden', (fixture) => {
  const { output, translation } = playFixture(fixture)
  // What an Anthropic client gets has goldens of its own, with what it adds up to and the notes.
  if (fixture.client !== 'anthropic') expect(output).toBe(clientGolden(fixture.file, output))
  const { error, stop } = readerOf(fixture.client).read(output)
  expect([error === undefined, stop === undefined]).toEqual([
    translation.failure === undefined,
    translation.failure !== undefined,
  ])
})

const plain = PLAIN_SOURCES.flatMap((source) =>
  streamFixtures(source.folder).map(({ name, bytes, setup }) => ({ source, name, bytes, setup })),
)

test.for(plain)(
  '$name of $source.upstream becomes its golden',
  ({ name, bytes, setup, source: { folder, upstream, reply } }) => {
    const options = (): Parameters<typeof collectAnswer>[0] => ({
      upstream: registry.upstream(upstream),
      reply: reply(setup),
      messageId: MESSAGE_ID,
      inputEstimate: ESTIMATED_INPUT,
    })
    const translator = translateStream({
      ...options(),
      client: registry.client('anthropic'),
      clientReply: {},
    })
    const sse = translate(translator, bytes)
    const collector = collectAnswer(options())
    collector.push(bytes)
    collector.end()
    const { failure, started, notes } = translator
    const error = failure && { kind: failure.kind, status: failure.status, message: failure.message, started }
    const json = `${JSON.stringify({ message: collector.message, error, notes }, null, 2)}\n`
    expect({ sse, json }).toEqual(golden(folder + name, { sse, json }))
    expect(collector.notes).toEqual(notes)
    expect(collector.failure).toEqual(failure)
  },
)

/** Only these events end an answer well; a body that is one document ends with its last byte. */
const WELL_ENDED = /"type":"(?:response\.(?:completed|incomplete)|message_stop)"|^\s*\{[\s\S]*\}\s*$/

const LINE_FEED = 10
const STRIDE = 7

/** Cuts at the ends of lines decide; of those inside of a line some are enough, the sweeps try each. */
function isTelling(bytes: Uint8Array, length: number): boolean {
  return length % STRIDE === 0 || bytes.subarray(Math.max(0, length - 2), length + 2).includes(LINE_FEED)
}

const ofPlainSources = fixtures.filter(
  ({ upstream, client }) =>
    PLAIN_SOURCES.some((source) => source.upstream === upstream) && client === 'anthropic',
)

test.for(ofPlainSources)(
  '$upstream: $name, byte by byte, is the same, and cut anywhere never ends too early',
  (fixture) => {
    const { bytes, client } = fixture
    const tell = (...pieces: readonly Uint8Array[]): string => toldBy(fixture.translation(true), pieces)
    expect(tell(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(tell(bytes))
    let checked = ''
    for (let length = 0; length < bytes.length; length += 1) {
      if (!isTelling(bytes, length)) continue
      const output = tell(bytes.subarray(0, length))
      // Most cuts fall into the same event and give the same output.
      if (output === checked) continue
      checked = output
      const isStopped = output.includes('"stop_reason":"stop_sequence"')
      if (isStopped || readerOf(client).read(output).error !== undefined) continue
      expect(new TextDecoder().decode(bytes.subarray(0, length)), `cut after ${length}`).toMatch(WELL_ENDED)
    }
  },
)
