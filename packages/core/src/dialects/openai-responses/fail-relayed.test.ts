import { expect, test } from 'vitest'
import { streamFixtures } from '../../../test/streams/fixtures.ts'
import { HubError } from '../../hub/error.ts'
import { relayAnswer } from '../../exchange/relay.ts'
import type { Translation } from '../../exchange/translation.ts'
import { plainCall } from '../plain-call.ts'
import { plainReply } from '../plain-reply.ts'
import { openaiResponses } from './index.ts'
import { eventsIn } from './keep-relayed.ts'

const { client, upstream } = openaiResponses
const bytesOf = (name: string): Uint8Array =>
  streamFixtures('openai-responses/').find((fixture) => fixture.name === name)?.bytes ?? new Uint8Array()

function relay(): Translation {
  return relayAnswer({
    upstream,
    client,
    clientReply: client.decodeRequest(plainCall({ model: 'm', input: 'Hi', stream: true })).reply,
    reply: plainReply('m', upstream.defaultProfile),
    messageId: 'resp_ours',
    inputEstimate: 1,
  })
}

const text = (written: string | Uint8Array): string =>
  typeof written === 'string' ? written : new TextDecoder().decode(written)

/** A stream that fails as what it began as, with these words. */
function expectFailed(output: string, words: string, id = expect.any(String)): void {
  const events = eventsIn(output)
  expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()])
  expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1)
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', message: expect.stringContaining(words) },
    { type: 'response.failed', response: { id, status: 'failed' } },
  ])
}

test.each(['cut-in-text', 'cut-after-a-whole-call', 'done-without-completed'])(
  'a stream that is passed on and ends too early fails as the response that it began: %s',
  (name) => {
    const translation = relay()
    const output = text(translation.pushRaw(bytesOf(name))) + text(translation.end())
    expectFailed(output, 'openai-responses: ', 'resp_1')
  },
)

test('a call that breaks fails the response that it began, cut anywhere', () => {
  const bytes = bytesOf('call-in-pieces')
  for (let at = 1; at < bytes.length; at += 1) {
    const translation = relay()
    const passed = text(translation.pushRaw(bytes.subarray(0, at)))
    if (translation.finished) break
    expectFailed(passed + text(translation.fail(new HubError('timeout_error', 'too slow'))), 'too slow')
  }
})

test('where events have no numbers, the failure has none', () => {
  const bytes = new TextDecoder().decode(bytesOf('cut-in-text')).replaceAll(/,"sequence_number":\d+/g, '')
  const translation = relay()
  const output = text(translation.pushRaw(new TextEncoder().encode(bytes))) + text(translation.end())
  expect(output).toContain('"type":"response.failed"')
  expect(output).not.toContain('sequence_number')
})
