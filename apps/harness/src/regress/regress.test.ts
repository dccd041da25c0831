import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapedExchange } from '@hydra/tape'
import { expect, onTestFinished, test } from 'vitest'
import { callOf, exchange, saying, tapeOf, UPSTREAM_REQUEST } from '../../test/exchanges.ts'
import { describeResult } from './describe-result.ts'
import { regressReport } from './regress-report.ts'
import { regress, type RegressOptions } from './regress.ts'
import type { RegressResult } from './regress-result.ts'

function scene(...exchanges: readonly TapedExchange[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tape-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  let taped = exchanges
  return {
    folder,
    expected: (name: string) => join(folder, 'expect', name),
    now: (...changed: readonly TapedExchange[]): void => void (taped = changed),
    run: (options: RegressOptions = {}): Promise<RegressResult> =>
      regress([folder], { ...options, read: () => tapeOf(folder, ...taped) }),
  }
}

test('a missing expected answer is a failure that says how to make it', async () => {
  const { run, folder } = scene(exchange())
  const result = await run()
  expect(result.ok).toBe(false)
  expect(describeResult(result)).toContain(`hydra-tape regress --update ${folder}`)
})

test('what was written down is as expected from then on', async () => {
  const { run, expected } = scene(exchange(), exchange({ number: 2, request: { stream: false } }))
  const written = await run({ update: true })
  // The second request does not ask for a stream, which its recorded call did.
  expect(written.updated).toEqual([expected('001.anthropic.sse'), expected('002.anthropic.json')])
  expect(readFileSync(expected('001.anthropic.sse'), 'utf8')).toMatch(/^event: message_start\n/)
  const [first] = (await run()).tapes
  expect(first?.exchanges[0]).toEqual({ number: 1, through: 'core', outcome: 'same', findings: [] })
})

test('an update says where the new answer is not what the client got then', async () => {
  const recorded = 'event: ping\ndata: {"type":"ping"}\n\n'
  const answer = { status: 200, headers: {}, at: 0, chunks: [], ended: 'clean' } as const
  const same = exchange()
  const [honest] = (await scene(same).run({ update: true })).updated
  const bytes = Buffer.from(recorded + readFileSync(honest ?? '', 'utf8'))
  const headers = { 'content-type': 'text/event-stream' }
  const told = (text: Buffer): TapedExchange => ({
    ...same,
    answer: { ...answer, headers, chunks: [{ at: 0, bytes: text }] },
  })
  expect(describeResult(await scene(told(bytes)).run({ update: true }))).not.toContain('when it was recorded')
  const other = Buffer.from(bytes.toString().replace('Hello', 'Howdy'))
  const remark = describeResult(await scene(told(other)).run({ update: true }))
  expect(remark).toContain(
    'is not what the client got when it was recorded: event 3 (content_block_delta) delta.text',
  )
})

test('only what changed is rewritten', async () => {
  const { run, now, expected } = scene(exchange(), exchange({ number: 2 }))
  await run({ update: true })
  const long = new Date('2001-01-01')
  for (const name of ['001.anthropic.sse', '002.anthropic.sse']) utimesSync(expected(name), long, long)
  now(exchange(), exchange({ number: 2, pieces: saying('Other') }))
  const result = await run({ update: true })
  expect(result.updated).toEqual([expected('002.anthropic.sse')])
  expect(statSync(expected('001.anthropic.sse')).mtime).toEqual(long)
  expect(result.tapes[0]?.exchanges.map(({ outcome }) => outcome)).toEqual(['same', 'updated'])
})

test('an answer that is another byte for byte is shown event by event', async () => {
  const { run, now } = scene(exchange())
  await run({ update: true })
  now(exchange({ pieces: saying('Hello', ' you') }))
  const result = await run()
  expect(result.ok).toBe(false)
  const text = describeResult(result)
  expect(text).toContain('the answer is not expect/001.anthropic.sse')
  expect(text).toMatch(/^- content_block_delta .*" there"/m)
  expect(text).toMatch(/^\+ content_block_delta .*" you"/m)
})

test('a request that the upstream is worded differently now names the place', async () => {
  const call = callOf({})
  const body = Buffer.from(JSON.stringify({ ...UPSTREAM_REQUEST, max_tokens: 99 }))
  const { run } = scene({ ...exchange(), calls: [{ ...call, request: { ...call.request, body } }] })
  await run({ update: true })
  const result = await run()
  expect(result.tapes[0]?.exchanges[0]?.findings).toEqual([
    { about: 'request', message: 'the upstream is sent something else at max_tokens: expected 99, now 100' },
  ])
})

test('an error whose status has changed is a difference, and an update takes the old file away', async () => {
  const { run, now, expected } = scene(exchange({ status: 429, pieces: ['{}'] }))
  await run({ update: true })
  expect(existsSync(expected('001.anthropic.429.json'))).toBe(true)
  expect((await run()).ok).toBe(true)
  now(exchange({ status: 404, pieces: ['{}'] }))
  expect(describeResult(await run())).toContain('now it is 001.anthropic.404.json')
  await run({ update: true })
  expect(readdirSync(expected(''))).toEqual(['001.anthropic.404.json'])
})

test('an expected answer that belongs to no exchange is a failure, and an update removes it', async () => {
  const { run, expected } = scene(exchange())
  await run({ update: true })
  writeFileSync(expected('007.anthropic.sse'), '')
  expect(describeResult(await run())).toContain('expect/007.anthropic.sse belongs to no exchange')
  await run({ update: true })
  expect((await run()).ok).toBe(true)
})

test('a run in which nothing could be compared has not passed', async () => {
  const { run } = scene({ ...exchange(), calls: [] })
  const result = await run({ update: true })
  expect(result.ok).toBe(true)
  expect(describeResult(result)).toMatch(
    /^failed: nothing was compared: 1 tape, 0 exchanges as expected, 1 left out$/m,
  )
})

test('what cannot be replayed is left out and counted, unless an answer is expected of it', async () => {
  const { run, now } = scene(exchange(), { ...exchange({ number: 2 }), calls: [] })
  await run({ update: true })
  const result = await run()
  expect(result.ok).toBe(true)
  expect(describeResult(result)).toContain('2: left out: no upstream was called')
  expect(describeResult(result)).toContain('1 exchange as expected, 1 left out')
  now({ ...exchange(), calls: [] }, { ...exchange({ number: 2 }), calls: [] })
  expect(describeResult(await run())).toContain('001.anthropic.sse cannot be checked')
})

test('a tape with problems, without exchanges, or that cannot be opened fails', async () => {
  const { folder } = scene()
  const problems = [{ line: 3, reason: 'its hash is wrong' }]
  const torn = await regress([folder], { read: () => ({ ...tapeOf(folder), problems }) })
  expect(torn.ok).toBe(false)
  expect(describeResult(torn)).toContain('line 3: its hash is wrong')
  expect(describeResult(torn)).toContain('there is no exchange on it')
  const closed = await regress([folder], {
    read: () => {
      throw new Error('no such file')
    },
  })
  expect([closed.ok, closed.tapes[0]?.findings]).toEqual([
    false,
    [{ about: 'tape', message: 'no such file' }],
  ])
})

test('an interrupted run says that not everything was checked', async () => {
  const { run } = scene(exchange())
  const result = await run({ signal: AbortSignal.abort() })
  expect(result.isInterrupted).toBe(true)
  expect(describeResult(result)).toContain('stopped before the end')
})

test('a JUnit report counts, and holds nothing that XML forbids', async () => {
  const { run, now } = scene(exchange(), { ...exchange({ number: 2 }), calls: [] })
  await run({ update: true })
  now(exchange({ pieces: saying('<&"\u0001') }), { ...exchange({ number: 2 }), calls: [] })
  const report = regressReport(await run())
  expect(report).toContain('tests="2" failures="1" skipped="1"')
  expect(report).toContain('<skipped message="no upstream was called"/>')
  expect(report).toContain('&lt;&amp;')
  expect(report).not.toContain('\u0001')
})

test.for([
  ['a file', 'expect/001.anthropic.sse'],
  ['the folder', 'expect'],
] as const)('%s that is a link is not followed, whatever is asked for', async ([, name]) => {
  const { run, folder } = scene(exchange())
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  const victim = join(outside, '001.anthropic.sse')
  writeFileSync(victim, 'precious')
  if (name !== 'expect') mkdirSync(join(folder, 'expect'))
  symlinkSync(name === 'expect' ? outside : victim, join(folder, name))
  for (const update of [true, false]) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const result = await run({ update })
    expect(result.ok).toBe(false)
    expect(describeResult(result)).toContain(`${name} is a link, and links are not followed`)
    expect(describeResult(result)).not.toContain('precious')
  }
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(readdirSync(outside)).toEqual(['001.anthropic.sse'])
})
