import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTape, replayExchange, type Tape, verifyTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { abortLine, callOf, event, exchange, saying } from '../../test/exchanges.ts'
import { recordTape, temporaryFolder } from '../../test/record-tape.ts'
import { surroundings } from '../../test/surroundings.ts'
import { regress } from '../regress/regress.ts'
import { shrink } from './shrink.ts'
import { shrinkCommand } from './shrink-command.ts'
import { writeTape } from './write-tape.ts'

const HISTORY = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'the culprit' },
  { role: 'assistant', content: 'four' },
  { role: 'user', content: 'five' },
]
const TOOLS = ['Read', 'Bash'].map((name) => ({ name, input_schema: { type: 'object' } }))

/** A tape of five exchanges of which the third says something bad in a long conversation. */
function longTape(): Tape {
  const bad = exchange({
    number: 3,
    pieces: saying('a', 'b', 'bad', 'c', 'd'),
    request: { messages: HISTORY, tools: TOOLS },
  })
  return readTape(recordTape([exchange(), exchange({ number: 2 }), bad, exchange({ number: 4 })]))
}

/** Fails where the culprit was asked and something bad came back. */
async function failureOf(tape: Tape): Promise<string | undefined> {
  const isBad = tape.exchanges.some((taped) => {
    const replay = replayExchange(taped)
    if ('reason' in replay) return false
    const asked = Buffer.from(taped.request?.body ?? '').includes('the culprit')
    return asked && Buffer.from(replay.answer.bytes).includes('"bad"')
  })
  return isBad ? 'it is bad' : undefined
}

test('what a failure does not need is left out: exchanges, events, messages and tools', async () => {
  const shrunk = await shrink(longTape(), failureOf, { depth: 'everything' })
  expect(shrunk?.failure).toBe('it is bad')
  const exchanges = shrunk?.tape.exchanges ?? []
  expect(exchanges.map(({ number }) => number)).toEqual([3])
  const bodies = exchanges.map(({ request }) => Buffer.from(request?.body ?? '').toString())
  expect(bodies.map((body) => JSON.parse(body) as unknown)).toMatchObject([{ messages: [HISTORY[2]] }])
  expect(bodies[0]).not.toContain('tools')
  const chunks = exchanges.flatMap(({ calls }) => calls.flatMap(({ answer }) => answer.chunks))
  expect(chunks.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(saying('bad').slice(1, 2))
  expect(shrunk?.removed).toEqual([
    '3 of 4 exchanges',
    'exchange 3: 8 of 9 events of the upstream',
    'exchange 3: 4 of 5 messages',
    'exchange 3: 2 of 2 tools',
  ])
})

test('a smaller tape is written whole: it can be read, its hashes are right and it still fails', async () => {
  const shrunk = await shrink(longTape(), failureOf, { depth: 'everything' })
  const folder = join(temporaryFolder(), 'small')
  expect([...writeTape(shrunk?.tape ?? longTape(), folder)]).toEqual([[3, 1]])
  expect(verifyTape(readTape(folder))).toEqual([])
  const written = readTape(folder)
  expect(written.problems).toEqual([])
  expect(await failureOf(written)).toBe('it is bad')
  // The request of the upstream is the one that belongs to what is left.
  expect(Buffer.from(written.exchanges[0]?.calls[0]?.request.body ?? '').includes('five')).toBe(false)
})

/** What a tape holds, with bodies that are read. */
function contentOf({ exchanges, problems }: Tape): unknown {
  const held = exchanges.map(({ request, calls, answer, end, moments }) => ({
    request: Buffer.from(request?.body ?? ''),
    calls: calls.map((call) => [call.via, call.answer, Buffer.from(call.request.body)]),
    answer,
    end,
    moments,
  }))
  return [problems, held]
}

test('a tape that was not changed is written as it was, interrupted and aborted exchanges too', () => {
  const original = readTape(
    recordTape([
      exchange(),
      exchange({
        number: 2,
        pieces: saying('x').slice(0, 2),
        ended: 'aborted',
        moments: [abortLine('upstream')],
      }),
      exchange({ number: 3, pieces: saying('x').slice(0, 2), ended: 'open', outcome: 'interrupted' }),
    ]),
  )
  const folder = join(temporaryFolder(), 'copy')
  writeTape(original, folder)
  expect(contentOf(readTape(folder))).toEqual(contentOf(original))
})

test('of several calls only the last one is kept, with what belongs to it', async () => {
  const taped = {
    ...exchange({ pieces: saying('bad'), request: { messages: HISTORY.slice(2, 3) } }),
    calls: [callOf({ status: 500, pieces: ['no'] }), callOf({ pieces: saying('bad') })],
  }
  const shrunk = await shrink(readTape(recordTape([taped])), failureOf, { depth: 'everything' })
  const folder = join(temporaryFolder(), 'small')
  writeTape(shrunk?.tape ?? longTape(), folder)
  const written = readTape(folder)
  expect(written.problems).toEqual([])
  expect(written.exchanges[0]?.calls.map(({ answer }) => answer.status)).toEqual([200])
})

test('a tape that does not fail is not shrunk', async () => {
  expect(await shrink(longTape(), async () => undefined, { depth: 'everything' })).toBeUndefined()
})

async function shrinkTape(...args: string[]): Promise<{ code: number; out: string }> {
  const around = surroundings()
  const code = await shrinkCommand.run(args, around)
  return { code, out: around.written.out }
}

test('the command keeps the exchange that is not as expected, and its expected answer', async () => {
  const folder = recordTape([1, 2, 3].map((number) => exchange({ number, pieces: saying(`word ${number}`) })))
  await regress([folder], { update: true })
  const golden = join(folder, 'expect', '002.anthropic.sse')
  writeFileSync(golden, readFileSync(golden, 'utf8').replace('word 2', 'another word'))
  const out = join(temporaryFolder(), 'small')
  const result = await shrinkTape(folder, '--out', out)
  expect(result.code).toBe(0)
  expect(result.out).toContain('left out: 2 of 3 exchanges')
  expect(readdirSync(join(out, 'expect'))).toEqual(['001.anthropic.sse'])
  expect((await regress([out])).tapes[0]?.exchanges.map(({ outcome }) => outcome)).toEqual(['different'])
})

test.for([['regress'], ['chaos']])(
  'a tape that bears --check %s is said to, and nothing is written',
  async ([check = '']) => {
    const folder = recordTape([exchange({ pieces: [...saying('x'), event({ choices: [] })] })])
    await regress([folder], { update: true })
    const out = join(temporaryFolder(), 'small')
    const { code, out: text } = await shrinkTape(
      folder,
      '--out',
      out,
      '--check',
      check,
      '--runs',
      '20',
      '--limit',
      '50',
    )
    expect([code, text]).toEqual([1, 'tape does not fail: nothing was written\n'])
    expect(existsSync(out)).toBe(false)
  },
)

test('a folder that is not empty is left alone', async () => {
  const folder = recordTape([exchange()])
  await expect(shrinkTape(folder, '--out', folder)).rejects.toThrow('it is not empty')
})

test('a tape with a link among its expected answers is refused: its target is not copied', async () => {
  const folder = recordTape([exchange()])
  mkdirSync(join(folder, 'expect'))
  symlinkSync('/nowhere', join(folder, 'expect', '001.anthropic.sse'))
  const out = join(temporaryFolder(), 'small')
  await expect(shrinkCommand.run([folder, '--out', out], surroundings())).rejects.toThrow('is a link')
  expect(existsSync(out)).toBe(false)
})
