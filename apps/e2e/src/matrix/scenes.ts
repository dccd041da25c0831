import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HubError } from '@hydra/core'
import { expect, expectPrinted } from '../expectations.ts'
import { loop, rounds, type Scene, type Step } from './scene.ts'
import { cutCall, cutText, cutTextCleanly } from './cut-scenes.ts'

const WORDS = 'The answer is 42. Größe 中文 🎉'

const text: Scene = {
  name: 'text',
  title: 'a plain answer is printed, character by character',
  begin: () => ({ say: () => ({ text: WORDS }), expect: ({ outcome }) => expectPrinted(outcome, WORDS) }),
}

const tools: Scene = {
  name: 'tools',
  title: 'tools run one after the other, and each result comes back',
  begin: ({ shell }) => ({
    files: { 'number.txt': '4711\n' },
    say: loop(
      [
        { text: 'Let me look.', calls: [shell('cat number.txt')] },
        { calls: [shell("sed 's/$/-twice/' number.txt")] },
      ],
      ([said = '']) => `It says ${/\d+-twice/.exec(said)?.[0] ?? said}.`,
    ),
    expect: ({ outcome }) => expectPrinted(outcome, 'It says 4711-twice.'),
  }),
}

const parallel: Scene = {
  name: 'parallel',
  title: 'two calls at once: each result belongs to its call',
  begin: ({ shell }) => ({
    say: loop(
      [{ text: 'Both at once.', calls: [shell('sleep 0.3; echo alpha-1'), shell('echo beta-2')] }],
      ([one = '', other = '']) => `First ${/alpha-1/.exec(one)?.[0]}, second ${/beta-2/.exec(other)?.[0]}.`,
    ),
    expect: ({ outcome }) => expectPrinted(outcome, 'First alpha-1, second beta-2.'),
  }),
}

const failingTool: Scene = {
  name: 'failing-tool',
  title: 'the error of a tool reaches the model',
  begin: ({ shell }) => ({
    say: loop(
      [{ calls: [shell('echo boom-3 >&2; exit 3')] }],
      ([said = '']) => `It failed with ${/boom-3/.exec(said)?.[0]}.`,
    ),
    expect: ({ outcome }) => expectPrinted(outcome, 'It failed with boom-3.'),
  }),
}

const PROOF = Buffer.from('a proof of what was thought. '.repeat(6)).toString('base64')

const thinking: Scene = {
  name: 'thinking',
  title: 'what the model thought comes back to it with its proof, where the dialect has one',
  begin({ shell }) {
    let isGiven = false
    const steps: readonly Step[] = [
      { thinking: 'I must weigh this first.', proof: PROOF, calls: [shell('echo weighed-5')] },
    ]
    const say = loop(steps, ([said = '']) => `Thought through: ${/weighed-5/.exec(said)?.[0]}.`)
    return {
      say(asked, number) {
        isGiven ||= rounds(asked) > 0 && isBack(asked.raw, JSON.stringify(asked.request.messages))
        return say(asked, number)
      },
      expect({ outcome, sent }) {
        expectPrinted(outcome, 'Thought through: weighed-5.')
        // Not every dialect has a place for a proof that it did not make.
        expect(isGiven || !isBack(...sent), 'the proof of the thinking did not come back')
      },
    }
  },
}

function isBack(...texts: readonly string[]): boolean {
  return texts.some((one) => one.includes(PROOF))
}

const TURNS = 12

const twelveTurns: Scene = {
  name: 'twelve-turns',
  title: `${TURNS} turns of tool calls, and every request has all of them`,
  begin: ({ shell }) => ({
    say: loop(
      Array.from({ length: TURNS }, (_, turn) => ({
        ...(turn % 3 === 0 && { text: `Turn ${turn}.` }),
        calls: [shell(`echo line-${turn} >> log.txt; wc -l < log.txt | sed 's/^ */done-/'`)],
      })),
      ([said = '']) => `Finished: ${/done-\d+/.exec(said)?.[0]}.`,
    ),
    expect({ outcome, folder, asked }) {
      expectPrinted(outcome, `Finished: done-${TURNS}.`)
      const lines = readFileSync(join(folder, 'log.txt'), 'utf8').trim().split('\n')
      expect(lines.length === TURNS, `expected ${TURNS} lines, got ${lines.length}`)
      expect(asked.length === TURNS + 1, `expected ${TURNS + 1} requests, got ${asked.length}`)
    },
  }),
}

const WAIT_SECONDS = 1

const rateLimit: Scene = {
  name: 'rate-limit',
  title: 'a 429 is waited out as long as the provider says',
  begin: () => ({
    say: (_, number) =>
      number === 0
        ? { error: new HubError('rate_limit_error', 'Rate limit reached', { retryAfter: WAIT_SECONDS }) }
        : { text: 'after the wait' },
    expect({ outcome, asked: [first, second] }) {
      expectPrinted(outcome, 'after the wait')
      const waited = (second?.at ?? 0) - (first?.at ?? 0)
      expect(waited > WAIT_SECONDS * 950, `the second request came after ${waited.toFixed(0)} ms`)
    },
  }),
}

const TOO_LONG = new HubError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', {
  overflow: { tokens: 210_000, limit: 200_000 },
})
/** Claude Code sums up only what has some length. */
const MAX_ROUNDS = 4
const SUMMARY = 'The summary of it all: number-7.'

const overflow: Scene = {
  name: 'overflow',
  title: 'a conversation that became too long is summed up, and the work goes on',
  begin({ shell }) {
    let isRefused = false
    return {
      say(asked) {
        if (JSON.stringify(asked.request.messages).includes(SUMMARY))
          return { text: 'done after the summary' }
        // It has the prompt's first word, by which the provider knows the conversation.
        if (isRefused)
          return { text: `<summary>${SUMMARY} ${/task-[0-9a-f]{12}/.exec(asked.raw)?.[0]}</summary>` }
        if (rounds(asked) < MAX_ROUNDS) return { calls: [shell(`seq -s ' ' ${rounds(asked)} 300`)] }
        isRefused = true
        return { error: TOO_LONG }
      },
      goesOn: ({ stdout }) => !stdout.includes('done after the summary'),
      expect: ({ outcome }) => expectPrinted(outcome, 'done after the summary'),
    }
  },
}

/** Every scene, in the order in which they are played. A new one is an object, here or in a file beside. */
export const scenes: readonly Scene[] = [
  text,
  tools,
  parallel,
  failingTool,
  thinking,
  rateLimit,
  overflow,
  cutText,
  cutTextCleanly,
  cutCall,
  twelveTurns,
]
