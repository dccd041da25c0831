import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { hydra } from '@hydra/adapter-express'
import { type Profile, profiles } from '@hydra/core'
import { playTape, readTape } from '@hydra/tape'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import { WEATHER } from '../../test/weather-tape.ts'
import { EXIT } from '../command.ts'
import { driveCommand } from './drive-command.ts'

/** Drives a tape through a gateway that asks for a model, in front of an upstream that plays the same tape. */
async function driveThrough(
  tape: string,
  { model, profile = profiles.generic }: { readonly model: string; readonly profile?: Profile },
): Promise<{ code: number; out: string }> {
  const upstream = await playTape(tape, { rechunk: 'events' })
  onTestFinished(() => upstream.stop())
  const llm = hydra({
    upstreams: { up: { dialect: 'openai-chat', url: upstream.url, profile } },
    routes: [{ name: 'all', upstream: 'up', model }],
  })
  const server = createServer(express().use(llm))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const kept = surroundings()
  const { port } = server.address() as AddressInfo
  const code = await driveCommand.run([tape, '--to', `http://127.0.0.1:${port}`], kept)
  server.close()
  server.closeAllConnections()
  return { code, out: kept.written.out }
}

test('a tape as client and as upstream of the same gateway gives the recorded answers', async () => {
  const { code, out } = await driveThrough(WEATHER, { model: 'scripted' })
  expect(out).toBe('exchange 1: same\nexchange 2: same\npassed: 2 the same, 0 different, 0 skipped\n')
  expect(code).toBe(EXIT.ok)
})

test('a connection that breaks again is the same, in whatever words it is told', async () => {
  const tape = fileURLToPath(
    new URL('../../../../fixtures/tapes/claude-code-interrupted-stream', import.meta.url),
  )
  const { code, out } = await driveThrough(tape, { model: 'gpt-test', profile: profiles.openai })
  expect(out).toContain(' 0 different, 0 skipped\n')
  expect(code).toBe(EXIT.ok)
})

test('an error in place of the recorded answer is told with its beginning', async () => {
  const { code, out } = await driveThrough(WEATHER, { model: 'another-model' })
  expect(code).toBe(EXIT.found)
  expect(out).toMatch(/different at status\n {2}expected 200\n {2}got {6}409 \(\{"type":"error",.*model/)
})

test('an answer that is different is told, and is the exit code', async () => {
  const tape = readTape(WEATHER)
  const changed = tape.exchanges.map((exchange) => ({
    ...exchange,
    answer: {
      ...exchange.answer,
      chunks: exchange.answer.chunks.map(({ at, bytes }) => ({
        at,
        bytes: Buffer.from(Buffer.from(bytes).toString().replace(' degree', ' dogree')),
      })),
    },
  }))
  await using server = await playTape({ ...tape, exchanges: changed }, { leg: 'proxy' })
  const kept = surroundings()
  const code = await driveCommand.run([WEATHER, '--to', server.origin], kept)
  expect(code).toBe(EXIT.found)
  expect(kept.written.out).toBe(
    `exchange 1: same
exchange 2: different at event 4 (content_block_delta) delta.text
  expected " degree"
  got      " dogree"
failed: 1 the same, 1 different, 0 skipped
`,
  )
})

test('for programs the result is one JSON value', async () => {
  await using server = await playTape(WEATHER, { leg: 'proxy' })
  const kept = surroundings()
  expect(await driveCommand.run([WEATHER, '--to', server.origin, '--json'], kept)).toBe(EXIT.ok)
  expect(JSON.parse(kept.written.out)).toEqual({
    exchanges: [
      { number: 1, outcome: 'same' },
      { number: 2, outcome: 'same' },
    ],
    verdict: { passed: true, reason: '2 the same, 0 different, 0 skipped' },
    isInterrupted: false,
    problems: [],
  })
})

test('the key of the other side is brought along', async () => {
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['x-api-key'])
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const kept = surroundings({ env: { HYDRA_KEY: 'the key' } })
  expect(await driveCommand.run([WEATHER, '--to', `http://127.0.0.1:${port}`], kept)).toBe(EXIT.found)
  server.close()
  expect(keys).toEqual(['the key', 'the key'])
})

test.each([
  [[], 'expected --to URL'],
  [['--to', 'http://127.0.0.1:1'], 'expected a tape'],
  [[WEATHER, '--to', 'http://proxy.example'], 'proxy.example is not this machine'],
  [['no/such/tape', '--to', 'http://127.0.0.1:1'], 'no/such/tape'],
  [[WEATHER, '--to', 'http://127.0.0.1:1', '--patience', 'long'], '--patience: expected a whole number'],
])('drive %j is refused', async (args, reason) => {
  await expect(driveCommand.run(args, surroundings())).rejects.toThrow(reason)
})
