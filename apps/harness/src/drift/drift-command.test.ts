import { playTape, readTape, type Tape, type TapedExchange } from '@hydra/tape'
import { expect, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import { WEATHER } from '../../test/weather-tape.ts'
import { EXIT } from '../command.ts'
import { driftCommand } from './drift-command.ts'

function changedBy(exchange: TapedExchange, change: (body: string) => string): TapedExchange {
  const calls = exchange.calls.map(({ request, via, answer }) => {
    const whole = Buffer.concat(answer.chunks.map(({ bytes }) => bytes)).toString()
    return { request, via, answer: { ...answer, chunks: [{ at: 0, bytes: Buffer.from(change(whole)) }] } }
  })
  return { ...exchange, calls }
}

/** Runs the command against a model that answers what is on the tape, with some of its words changed. */
async function drifted(
  change: (body: string) => string,
  options: readonly string[] = [],
): Promise<{ code: number; out: string }> {
  const tape = readTape(WEATHER)
  const changed: Tape = { ...tape, exchanges: tape.exchanges.map((exchange) => changedBy(exchange, change)) }
  const upstream = await playTape(changed)
  const around = surroundings()
  const code = await driftCommand.run([WEATHER, '--target', upstream.url, ...options], around)
  await upstream.stop()
  return { code, out: around.written.out }
}

test('an upstream that says the same in other words passes', async () => {
  expect(await drifted((body) => body.replaceAll('rains', 'pours'))).toEqual({
    code: EXIT.ok,
    out: 'passed: 2 requests sent, 0 mean something else\n',
  })
})

test('another tool and another reason to stop fail, and are told', async () => {
  const { code, out } = await drifted((body) => body.replaceAll('get_weather', 'ask_around'))
  expect(code).toBe(EXIT.found)
  expect(out).toContain('weather 1: tools was get_weather(city) and is ask_around(city)\n')
  expect(out).toContain('failed: 2 requests sent, 1 mean something else\n')
})

function inGoodMood(body: string): string {
  return body.replaceAll('"choices":[', '"mood":"good","choices":[')
}

test('a field that was not recorded is told, and fails only if that is asked for', async () => {
  const told = await drifted(inGoodMood)
  expect([told.code, told.out]).toEqual([EXIT.ok, expect.stringContaining('new field mood')])
  expect((await drifted(inGoodMood, ['--strict'])).code).toBe(EXIT.found)
})

test('an upstream that is not there fails', async () => {
  const around = surroundings()
  expect(await driftCommand.run([WEATHER, '--target', 'http://127.0.0.1:9/v1'], around)).toBe(EXIT.found)
  expect(around.written.out).toContain('weather 1: no answer: ')
})

test('another machine is asked only if that is typed', async () => {
  const run = driftCommand.run([WEATHER, '--target', 'https://api.example.com/v1'], surroundings())
  await expect(run).rejects.toThrow('--remote')
})
