import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTape, ExchangeWriter, readTape, type Tape, type TapedExchange, verifyTape } from '@hydra/tape'
import { expect, onTestFinished, test } from 'vitest'
import { rewriteTape } from './rewrite-tape.ts'

const STARTED = Date.parse('2026-01-01T00:00:00.000Z') * 1000

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-rewrite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Two exchanges that overlap; the first has a second try and a chunk that is no text by itself. */
function recorded(folder: string): Tape {
  const writer = createTape({
    folder,
    header: { tool: 'test', session: 's', redaction: 'none' },
    started: STARTED,
  })
  const [one, two] = [new ExchangeWriter(writer), new ExchangeWriter(writer)]
  const request = { method: 'POST', path: '/v1/messages', headers: {} }
  const via = { upstream: 'up', dialect: 'openai-chat', messageId: 'msg_1' } as const
  const body = `{"text":"${'the words of somebody '.repeat(200)}"}`
  one.request(STARTED + 1, 'c>', { ...request, body })
  one.request(STARTED + 2, '>u', { ...request, body, via })
  two.request(STARTED + 2, 'c>', { ...request, body: '' })
  one.head(STARTED + 3, 'u>', { status: 503, headers: { 'retry-after': '1' } })
  one.data(STARTED + 4, 'u>', 'busy')
  one.end(STARTED + 4, 'u>')
  one.event(STARTED + 5, '', { type: 'retry', data: { reason: 'busy', pause: 1000 } })
  one.request(STARTED + 6, '>u', { ...request, body: '{"text":"again"}', via })
  one.head(STARTED + 7, 'u>', { status: 200, headers: {} })
  one.data(STARTED + 8, 'u>', Buffer.from('ü').subarray(0, 1))
  two.event(STARTED + 8, '', { type: 'abort', data: { by: 'client' } })
  one.data(STARTED + 9, 'u>', Buffer.from('ü').subarray(1))
  one.head(STARTED + 9, '>c', { status: 200, headers: {} })
  one.data(STARTED + 9, '>c', 'ü')
  one.end(STARTED + 10, '>c')
  one.event(STARTED + 10, '', { type: 'note', data: { code: 'dropped_field', path: 'a', message: 'b' } })
  one.done(STARTED + 11, 'answered')
  writer.close()
  return readTape(folder)
}

function withoutBodies({ calls, request, end, ...rest }: TapedExchange): unknown {
  return {
    ...rest,
    moments: [],
    request: { ...request, body: '' },
    calls: calls.map((call) => ({ ...call, request: { ...call.request, body: '' } })),
    outcome: end?.outcome,
  }
}

test('a tape is written line for line, with other bodies and hashes that fit', () => {
  const base = temporaryFolder()
  const before = recorded(join(base, 'before'))
  rewriteTape(before, join(base, 'after'), (body) =>
    Buffer.from(Buffer.from(body).toString().replaceAll('somebody', 'nobody--')),
  )
  const after = readTape(join(base, 'after'))
  expect(after.header).toEqual(before.header)
  expect(after.exchanges.map(withoutBodies)).toEqual(before.exchanges.map(withoutBodies))
  expect(after.exchanges.map(linesOf)).toEqual(before.exchanges.map(linesOf))
  const bodies = after.exchanges.flatMap(({ request, calls }) => [
    request,
    ...calls.map((call) => call.request),
  ])
  expect(
    bodies.map((request) =>
      Buffer.from(request?.body ?? [])
        .toString()
        .slice(0, 30),
    ),
  ).toEqual(['{"text":"the words of nobody--', '{"text":"the words of nobody--', '{"text":"again"}', ''])
  // The second exchange was interrupted, before and after.
  expect(verifyTape(after)).toEqual(verifyTape(before))
})

function linesOf({ moments }: TapedExchange): unknown {
  return moments.map(({ at, leg, line, event }) => [at, leg, line, event[4]])
}
