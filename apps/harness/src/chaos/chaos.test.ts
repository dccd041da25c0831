import { readFileSync } from 'node:fs'
import { HubError } from '@hydra/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { event, exchange, type ExchangeChanges, saying, tapeOf } from '../../test/exchanges.ts'
import { chaos, type ChaosOptions, type ChaosResult } from './chaos.ts'
import { describeChaos, repeatCommand } from './describe-chaos.ts'
import { FAULTS, type FaultName } from './faults.ts'
import { namedCases } from './named-cases.ts'
import { offsetsOf } from './offsets.ts'
import { judgePassed } from './oracles.ts'
import { newRandom } from './random.ts'
import { type Subject, subjectsOf } from './subject.ts'

const OPTIONS: ChaosOptions = { seed: 7, cases: namedCases('all'), runs: 300, sockets: 4, limit: 50_000 }

function breakAll(changes: ExchangeChanges, options: Partial<ChaosOptions> = {}): Promise<ChaosResult> {
  return chaos(tapeOf('tape', exchange(changes)), { ...OPTIONS, ...options })
}

/** A subject whose translator is replaced by one of ours. */
function subject(play: (honest: Subject) => Subject['play'], changes: ExchangeChanges = {}): Subject {
  const [honest] = subjectsOf(tapeOf('tape', exchange(changes))).subjects
  if (honest === undefined) throw new Error('there is a subject')
  return { ...honest, play: play(honest) }
}

/** The first case of a fault that is not borne. */
function firstFailure(name: FaultName, broken: Subject): { offset: number; message: string } | undefined {
  const options = { seed: 7, runs: 300 }
  for (let offset = 0; offset < FAULTS[name].size(broken, options); offset += 1) {
    const message = FAULTS[name].check(broken, offset, options)
    if (message !== undefined) return { offset, message }
  }
  return undefined
}

const call = (index: number, id: string): string[] => [
  event({
    choices: [
      { index: 0, delta: { tool_calls: [{ index, id, function: { name: 'Read', arguments: '' } }] } },
    ],
  }),
  ...['{"a":', '"ü"}'].map((json) =>
    event({ choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: json } }] } }] }),
  ),
]
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })

const ANSWERS: Readonly<Record<string, ExchangeChanges>> = {
  'words with more than a byte': { pieces: saying('Grüße', ' 🙂', '\u2028') },
  'two calls at once': { pieces: [...saying('x').slice(0, 2), ...call(0, 'a'), ...call(1, 'b'), finish] },
  'a stop sequence of ours': {
    pieces: saying('one', ' two', ' three'),
    request: { stop_sequences: ['wo th', 'b', 'c', 'd', 'e'] },
    via: { overrides: { maxStopSequences: 0 } },
  },
  'one body': {
    request: { stream: false },
    pieces: ['{"choices":[{"index":0,"message":{"content":"Grüße"},"finish_reason":"stop"}]}'],
  },
  'one body where a stream was asked for': {
    pieces: ['{"choices":[{"index":0,"message":{"content":"Grüße"},"finish_reason":"stop"}]}'],
  },
  'an answer that is broken already': { pieces: saying('Hello', ' there').slice(0, 3), ended: 'aborted' },
  'an error after words': { pieces: [...saying('x').slice(0, 2), event({ error: { message: 'no' } })] },
}

const MESSAGES: ExchangeChanges = {
  via: { dialect: 'anthropic', profile: 'anthropic' },
  pieces: [
    'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ü"}}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ],
}

test.for(Object.keys(ANSWERS))('%s: every fault is borne', async (name) => {
  const result = await breakAll(ANSWERS[name] ?? {})
  expect(describeChaos(result, { seed: 7 })).not.toContain('FAILED')
  expect(result.answers).toBe(1)
  expect(Object.keys(result.checked).toSorted()).toEqual([...OPTIONS.cases].toSorted())
})

test('Messages from end to end: every break and every split is borne', async () => {
  const result = await breakAll(MESSAGES, { cases: namedCases('cut,reset,stall,split,pieces,sockets') })
  expect(describeChaos(result, { seed: 7 })).not.toContain('FAILED')
  expect(result.checked.cut).toBeGreaterThan(500)
})

test.for(['openai-call-in-pieces', 'cut-in-text'])(
  'a captured answer bears every fault: %s',
  async (name) => {
    const bytes = readFileSync(new URL(`../../../../fixtures/streams/${name}.sse`, import.meta.url))
    const result = await breakAll({ pieces: [bytes] }, { sockets: 0 })
    expect(result.failures).toEqual([])
    expect(result.checked.cut).toBe(bytes.length + 1)
  },
)

test('a clean end before the upstream has finished is found, at the smallest offset', () => {
  const liar = subject(
    ({ whole }) =>
      () =>
        whole,
  )
  const found = firstFailure('cut', liar)
  expect(found?.offset).toBe(0)
  expect(found?.message).toContain('a clean end after 0 bytes')
  expect(firstFailure('stall', liar)?.offset).toBe(0)
})

test('a clean end that lacks some of the answer is found', () => {
  const forgetful = subject((honest) => (pieces, ending) => {
    const played = honest.play(pieces, ending)
    return played.ended === 'clean' ? { ...played, text: played.text.replace(' there', '') } : played
  })
  expect(firstFailure('cut', forgetful)?.message).toBe('a clean end, but the answer is not complete')
  expect(firstFailure('split', forgetful)?.offset).toBe(0)
})

test('words before an error that are not in the whole answer are found', () => {
  const inventive = subject((honest) => (pieces, ending) => {
    const played = honest.play(pieces, ending)
    return played.ended === 'failed' ? { ...played, text: played.text.replace('Hello', 'Howdy') } : played
  })
  expect(firstFailure('reset', inventive)?.message).toContain('no beginning of the whole')
})

test('two ends, and no end at all, are found', () => {
  const twice = subject((honest) => (pieces, ending) => {
    const played = honest.play(pieces, ending)
    return { ...played, text: played.text + played.text }
  })
  expect(firstFailure('mutate', twice)?.message).toContain('comes after the end')
  const open = subject((honest) => (pieces) => honest.play(pieces, 'open'))
  expect(firstFailure('cut', open)?.message).toBe('it has neither an end nor an error')
})

test('a clean end of other bytes is only right if they have one', () => {
  const liar = subject(
    ({ whole }) =>
      () =>
        whole,
    { pieces: saying('Hello').slice(0, 2) },
  )
  const clean = { ...liar, play: () => ({ ...honestWhole(), ended: 'clean' as const }) }
  expect(firstFailure('disorder', clean)?.message).toContain('has said nowhere that it is finished')
})

function honestWhole(): Subject['whole'] {
  return subject((honest) => honest.play).whole
}

test('what throws is a failure with its place and a command that repeats it', async () => {
  const tape = tapeOf('my tape', exchange())
  const failure = { name: 'cut', exchange: 1, call: 1, seed: 7, offset: 3, message: 'it throws' } as const
  expect(repeatCommand(tape.folder, failure)).toBe(
    "chaos 'my tape' --seed 7 --cases cut --exchange 1 --call 1 --offset 3",
  )
})

test('one case of one exchange can be had alone', async () => {
  const tape = tapeOf('tape', exchange(), exchange({ number: 2 }))
  const result = await chaos(tape, { ...OPTIONS, cases: ['cut', 'mutate'], exchange: 2, offset: 12_345 })
  expect(result.answers).toBe(1)
  // There are not so many bytes, but a mutation has any number.
  expect(result.checked).toEqual({ mutate: 1 })
})

test('an exchange without an answer of an upstream is left alone, and it is said why', async () => {
  const result = await breakAll({ status: undefined, pieces: [] })
  expect([result.answers, result.leftOut]).toEqual([
    0,
    [{ exchange: 1, reason: 'the upstream did not answer' }],
  ])
})

const REFUSAL: ExchangeChanges = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '3' },
  pieces: ['{"error":{"message":"slöw down","type":"rate_limit"}}'],
}

test('an error of the upstream bears every fault', async () => {
  const result = await breakAll(REFUSAL)
  expect(describeChaos(result, { seed: 7 })).not.toContain('FAILED')
  expect(Object.keys(result.checked).toSorted()).toEqual([...OPTIONS.cases].toSorted())
})

test('an error that becomes a success, or depends on its pieces, is found', () => {
  const success = new HubError('api_error', 'fine', { status: 200 })
  const refused = { text: '', failure: success, isRefused: true, ended: 'failed' } as const
  expect(
    firstFailure(
      'cut',
      subject(() => () => refused, REFUSAL),
    )?.message,
  ).toContain('the status 200')
  const nervous = subject(
    (honest) => (pieces, ending) => honest.play([...pieces].slice(0, 1), ending),
    REFUSAL,
  )
  expect(firstFailure('split', nervous)?.message).toContain('it fails with')
})

const PASSED: ExchangeChanges = { ...MESSAGES, via: { dialect: 'anthropic', passthrough: true } }

test('what is passed on is broken over sockets: the client gets its beginning and then an error', async () => {
  const result = await breakAll(PASSED)
  expect(describeChaos(result, { seed: 7 })).not.toContain('FAILED')
  expect(result.checked).toEqual({ 'socket-cut': 2, 'socket-reset': 2 })
})

test('what is passed on and changed, or ended although it broke, is found', () => {
  const passed = subject((honest) => honest.play, PASSED)
  const broken = {
    text: 'event: message_start',
    failure: undefined,
    isRefused: false,
    ended: 'failed',
  } as const
  expect(judgePassed(passed, broken, 20)).toBeUndefined()
  expect(judgePassed(passed, { ...broken, text: 'event: message_stop' }, 20)).toContain(
    'from character 17 on',
  )
  expect(judgePassed(passed, { ...broken, ended: 'clean' }, 20)).toContain('a clean end')
})

test('the error behind what was passed on may be in any dialect, after events of any line ends', () => {
  const passed = subject((honest) => honest.play, PASSED)
  const beginning = 'data: {"candidates":[{"index":0}]}\r\n\r\n'
  const whole = { ...passed.whole, text: `${beginning}data: {"candidates":[{"index":0,"a":1}]}\r\n\r\n` }
  const gemini: Subject = { ...passed, dialect: 'gemini', whole }
  const broken = { failure: undefined, isRefused: false, ended: 'failed' } as const
  const error = 'data: {"error":{"code":502,"status":"UNAVAILABLE","message":"the connection broke"}}\n\n'
  const judge = (text: string): string | undefined => judgePassed(gemini, { ...broken, text }, 60)
  expect(judge(beginning + error)).toBeUndefined()
  expect(judge(`${beginning}data: {"candidates":[]}\n\n`)).toContain('differs from character')
  expect(judge(whole.text.slice(0, 10) + error)).toContain('differs from character')
})

test('where there are too many cases some are drawn, and it is said how many', async () => {
  const result = await breakAll({}, { cases: ['cut'], limit: 40 })
  expect(result.checked).toEqual({ cut: 40 })
  expect(result.sampled).toMatchObject([{ name: 'cut', exchange: 1, checked: 40 }])
  expect(describeChaos(result, { seed: 7 })).toContain('cut at 40 of ')
})

test('an interrupt is reported', async () => {
  const result = await breakAll({}, { signal: AbortSignal.abort() })
  expect(result.isInterrupted).toBe(true)
  expect(describeChaos(result, { seed: 7 })).toContain('stopped before the end')
})

test('drawn cases are in order, each once, and the ends are always among them', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 4, max: 100 }),
      fc.nat(),
      (size, limit, seed) => {
        const offsets = offsetsOf({ size, limit, seed, offset: undefined })
        expect(offsets).toHaveLength(Math.min(size, limit))
        expect(new Set(offsets).size).toBe(offsets.length)
        expect(offsets).toEqual(offsets.toSorted((one, other) => one - other))
        expect([offsets[0], offsets.at(-1)]).toEqual([0, size - 1])
      },
    ),
  )
})

function draw(seed: number, number: number): number[] {
  const random = newRandom(seed, number)
  return Array.from({ length: 8 }, () => random.below(1000))
}

test('the same seed and number draw the same, another seed draws something else', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(100_000), (seed, number) => {
      const drawn = draw(seed, number)
      expect(draw(seed, number)).toEqual(drawn)
      expect(draw(seed + 1, number)).not.toEqual(drawn)
      expect(draw(seed, number + 1)).not.toEqual(drawn)
      for (const value of drawn) expect(value >= 0 && value < 1000).toBe(true)
    }),
  )
})
