import { playTape, readTape } from '@hydra/tape'
import { eventually, freePort } from '@hydra/testkit'
import { expect, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import { WEATHER } from '../../test/weather-tape.ts'
import { EXIT } from '../command.ts'
import { serveCommand } from './serve-command.ts'

interface Serving {
  readonly url: string
  readonly lines: () => readonly string[]
  readonly stop: () => Promise<number>
}

async function serving(...args: readonly string[]): Promise<Serving> {
  const end = new AbortController()
  const kept = surroundings({ signal: end.signal })
  const code = serveCommand.run([WEATHER, ...args], kept)
  const lines = (): string[] => kept.written.out.trimEnd().split('\n')
  const url = await eventually(() => /http:[^\s"]+/.exec(lines()[0] ?? '')?.[0], 'the URL of the tape')
  return {
    url,
    lines,
    stop() {
      end.abort()
      return code
    },
  }
}

const [{ request: asked } = { request: undefined }] = readTape(WEATHER).exchanges
const BODY = Buffer.from(asked?.body ?? []).toString()

function ask(url: string, body: string): Promise<Response> {
  return fetch(`${url}/v1/messages`, { method: 'POST', body })
}

test('serve says which exchange answers or why none does, and a miss is the exit code', async () => {
  const served = await serving('--as', 'proxy')
  expect(await (await ask(served.url, BODY)).text()).toContain('event: message_stop')
  const other = { ...(JSON.parse(BODY) as object), max_tokens: 7 }
  expect((await ask(served.url, JSON.stringify(other))).status).toBe(418)
  expect(await served.stop()).toBe(EXIT.found)
  expect(served.lines().slice(1)).toEqual([
    `  Claude Code: ANTHROPIC_BASE_URL=${served.url} ANTHROPIC_AUTH_TOKEN=any claude`,
    'POST /v1/messages: exchange 1',
    'no recording answers POST /v1/messages: the nearest is exchange 1, which has been used already, where max_tokens is 1024 and not 7',
    '2 requests, 1 without a recording; 1 recording not asked for',
  ])
})

test('in a loop the same request is answered for ever', async () => {
  const served = await serving('--as', 'proxy', '--loop', '--rechunk', 'random', '--seed', '3')
  for (let round = 0; round < 3; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await ask(served.url, BODY)).status).toBe(200)
  }
  expect(await served.stop()).toBe(EXIT.ok)
})

test('a request that is not quite the recorded one is told with what it differs in, also to programs', async () => {
  const served = await serving('--as', 'proxy', '--json')
  await ask(served.url, JSON.stringify({ ...(JSON.parse(BODY) as object), max_tokens: 7 }))
  expect(await served.stop()).toBe(EXIT.ok)
  const [start, request, end] = served.lines().map((line) => JSON.parse(line) as unknown)
  expect(start).toEqual({ url: served.url, recordings: 2, problems: [] })
  expect(request).toEqual({
    method: 'POST',
    path: '/v1/messages',
    exchange: 1,
    call: 1,
    by: 'conversation',
    difference: { path: 'max_tokens', expected: '1024', actual: '7' },
  })
  expect(end).toEqual({ stopped: { requests: 1, misses: 0, unused: 1 } })
})

test.each([
  [[], 'expected a tape'],
  [[WEATHER, 'another'], "expected one tape, got 'another' too"],
  [['no/such/tape'], 'no/such/tape'],
  [[WEATHER, '--speed', 'fast'], "--speed: expected 0 or more, got 'fast'"],
  [[WEATHER, '--port', '70000'], '--port: expected at most 65535'],
  [[WEATHER, '--as', 'client'], '--as: expected upstream, proxy'],
  [[WEATHER, '--rechunk', 'words'], '--rechunk: expected'],
  [[WEATHER, '--seed', '1'], '--seed: only --rechunk random takes one'],
  [[WEATHER, '--sped', '1'], 'unknown option --sped'],
])('serve %j is refused', async (args, reason) => {
  await expect(serveCommand.run(args, surroundings())).rejects.toThrow(reason)
})

test('a port that is taken is a mistake of one line', async () => {
  const port = await freePort()
  const first = await playTape(readTape(WEATHER), { port })
  await expect(serveCommand.run([WEATHER, '--port', String(port)], surroundings())).rejects.toThrow(
    `--port: somebody listens on ${port} already`,
  )
  await first.stop()
})
