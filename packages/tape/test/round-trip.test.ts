import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createTape, ExchangeWriter, playTape, TAPE_FILE } from '../src/index.ts'
import { rawRequest } from './raw-client.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Records one call of an upstream that answers with these chunks. */
function record(chunks: readonly Uint8Array[], ended: 'clean' | 'killed'): string {
  const parent = mkdtempSync(join(tmpdir(), 'tape-'))
  folders.push(parent)
  const folder = join(parent, 'tape')
  const tape = createTape({ folder, header: { tool: 'test/1', redaction: 'none' }, started: 1_000_000 })
  const exchange = new ExchangeWriter(tape)
  let at = 1_000_000
  exchange.request((at += 10), '>u', {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: {},
    body: '{"n":1}',
  })
  exchange.head((at += 10), 'u>', { status: 200, headers: { 'content-type': 'text/event-stream' } })
  for (const chunk of chunks) exchange.data((at += 10), 'u>', chunk)
  if (ended === 'clean') {
    exchange.end((at += 10), 'u>')
    exchange.done((at += 10), 'answered')
  }
  tape.close()
  return folder
}

test('what is recorded is played byte for byte and chunk for chunk, text or not', async () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(chunks, async (pieces) => {
      await using upstream = await playTape(record(pieces, 'clean'))
      const answer = await rawRequest(upstream.origin, { body: '{"n":1}' })
      expect(answer.chunks).toEqual(pieces.map((piece) => Buffer.from(piece).toString('latin1')))
      expect(answer.isWhole).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('a recording that was killed, with half a line at its end, is played as far as it goes and then reset', async () => {
  const folder = record([Buffer.from('data: a\n\n')], 'killed')
  appendFileSync(join(folder, TAPE_FILE), '[4,10,1,"u>","d","data: ')
  await using upstream = await playTape(folder)
  const answer = await rawRequest(upstream.origin, { body: '{"n":1}' })
  expect(answer).toMatchObject({ chunks: ['data: a\n\n'], isWhole: false, error: 'ECONNRESET' })
  expect(upstream.problems.length).toBe(1)
})

test('a tape that is damaged says so when something is missing', async () => {
  const folder = record([Buffer.from('data: a\n\n')], 'clean')
  const file = join(folder, TAPE_FILE)
  writeFileSync(file, readFileSync(file, 'utf8').replace('>u', '>x'))
  const upstream = await playTape(folder)
  await rawRequest(upstream.origin, { body: '{"n":1}' })
  await expect(upstream.close()).rejects.toThrow(/no recording answers [^]*the tape is damaged in line 2: /)
})

test('a tape that is not there is an error that names it', async () => {
  await expect(playTape(join(tmpdir(), 'no-such-tape'))).rejects.toThrow('no-such-tape')
})
