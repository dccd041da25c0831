import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { TapedExchange } from '../src/format/tape.ts'
import { playTape } from '../src/play/play-tape.ts'
import { type PlayedLeg, type Recording, recordingsOf } from '../src/play/recording.ts'
import { readTape } from '../src/read/read-tape.ts'
import { verifyTape } from '../src/read/verify-tape.ts'
import { reopenTape } from '../src/write/reopen-tape.ts'
import { chunkOf, requestOf } from './killed-traffic.ts'
import { rawRequest } from './raw-client.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('record-until-killed.ts', import.meta.url))

/** A few in every run; as many as wanted with `HYDRA_KILLS=200`. */
const KILLS = Number(process.env['HYDRA_KILLS'] ?? 25)

/** Milliseconds: long enough for thousands of lines, and for exchanges that are over. */
const MAX_LIFE = 40

/** Runs the recording program, kills it at a random moment, and gives the words that it had acknowledged. */
async function recordAndKill(folder: string, policy: string): Promise<readonly string[]> {
  const child = spawn(process.execPath, [PROGRAM, folder, policy], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let told = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (told += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text))
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  await setTimeout(Math.random() * MAX_LIFE)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(complaints).toBe('')
  expect(child.signalCode).toBe('SIGKILL')
  return told.slice(0, told.lastIndexOf('\n')).split('\n')
}

function tapesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((entry) => entry !== '.gitignore')
    .map((entry) => join(folder, entry))
}

function check(folder: string, words: readonly string[]): void {
  const exchanges = new Map<string, TapedExchange>()
  for (const name of tapesIn(folder)) {
    const tape = readTape(name)
    // At most the line that was being written is torn.
    expect(tape.problems.filter(({ reason }) => !reason.includes('torn'))).toEqual([])
    expect(verifyTape(tape)).toEqual(tape.problems)
    for (const exchange of tape.exchanges) exchanges.set(exchange.request?.path.slice(1) ?? '', exchange)
  }
  const last = new Map(words.map((word) => word.split(' ') as [string, string]))
  expect(last.size).toBeGreaterThan(0)
  for (const [name, acknowledged] of last) checkExchange(name, exchangeOf(exchanges, name), acknowledged)
}

function exchangeOf(exchanges: ReadonlyMap<string, TapedExchange>, name: string): TapedExchange {
  const exchange = exchanges.get(name)
  if (exchange === undefined) throw new Error(`${name} was acknowledged and is not there`)
  return exchange
}

function checkExchange(name: string, exchange: TapedExchange, acknowledged: string): void {
  const legs = [exchange.answer, ...exchange.calls.map(({ answer }) => answer)]
  expect(legs).toHaveLength(2)
  const isDone = acknowledged === 'done'
  expect(Buffer.from(exchange.request?.body ?? []).toString('utf8')).toBe(requestOf(name))
  for (const leg of legs) {
    const chunks = leg.chunks.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
    if (!isDone) expect(chunks.length).toBeGreaterThanOrEqual(Number(acknowledged))
    expect(chunks).toEqual(chunks.map((_, index) => chunkOf(name, index)))
  }
  if (isDone) expect(exchange.end?.outcome).toBe('answered')
  if (exchange.end === undefined) return
  expect(legs.map((leg) => leg.ended)).toEqual(['clean', 'clean'])
}

test(
  `${KILLS} times killed at a random moment: every acknowledged line is there, every tape opens and goes on`,
  { timeout: 20_000 + KILLS * 2000 },
  async () => {
    for (let count = 0; count < KILLS; count += 1) {
      const folder = join(temporaryFolder(), 'tapes')
      // One after the other: two at a time would only share the processors.
      // oxlint-disable-next-line no-await-in-loop
      check(folder, await recordAndKill(folder, count % 2 === 0 ? 'strict' : 'lenient'))
      const [first = ''] = tapesIn(folder)
      const writer = reopenTape({ folder: first })
      writer?.append({
        at: Date.now() * 1000,
        exchange: writer.nextExchange(),
        leg: '',
        type: 'mark',
        data: { text: 'on' },
      })
      writer?.close()
      expect(readTape(first).problems).toEqual([])
    }
  },
)

/** Asks for everything on a leg of a tape, and gives how many answers broke off. */
async function replay(folder: string, leg: PlayedLeg): Promise<number> {
  const tape = readTape(folder)
  await using played = await playTape(tape, { leg })
  const endings = recordingsOf(tape, leg).map((recording) => replayOne(played.origin, recording))
  return (await Promise.all(endings)).filter((isWhole) => !isWhole).length
}

async function replayOne(origin: string, { request, answer }: Recording): Promise<boolean> {
  const asked = { path: request.path, body: Buffer.from(request.body).toString('utf8') }
  const { chunks, isWhole, error } = await rawRequest(origin, asked)
  const recorded = Buffer.concat(answer.chunks.map(({ bytes }) => bytes)).toString('latin1')
  expect(isWhole).toBe(answer.ended === 'clean')
  expect(error).toBe(isWhole ? undefined : 'ECONNRESET')
  // A reset discards what its reader has not taken yet, but never adds anything.
  if (isWhole) expect(chunks.join('')).toBe(recorded)
  else expect(recorded.startsWith(chunks.join(''))).toBe(true)
  return isWhole
}

test.each(['strict', 'lenient'])(
  'what a killed recorder (%s) leaves is replayed, and what was interrupted comes out as interrupted',
  { timeout: 30_000 },
  async (policy) => {
    const folder = join(temporaryFolder(), 'tapes')
    await recordAndKill(folder, policy)
    const legs = tapesIn(folder).flatMap((tape) => [replay(tape, 'upstream'), replay(tape, 'proxy')])
    const broken = await Promise.all(legs)
    // Streams begin as soon as others end: some were running on every tape.
    expect(Math.min(...broken)).toBeGreaterThan(0)
  },
)
