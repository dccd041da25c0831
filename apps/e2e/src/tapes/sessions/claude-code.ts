import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  body,
  DONE,
  event,
  finishChunk,
  head,
  pause,
  play,
  textChunk,
  type Turn,
  usageChunk,
} from '@hydra/testkit'
import { expect, expectPrinted, expectSamePrefix } from '../../expectations.ts'
import { PNG } from '../../png.ts'
import { answeredCalls, imagesOf, lastResults, rounds } from '../../upstream/conversation.ts'
import type { TapeSession } from '../session.ts'

/** Pauses between pieces, and two characters that are cut in the middle of their bytes. */
function slowText(): Turn {
  const greeting = Buffer.from(`data: ${JSON.stringify(textChunk('Grüße 🎉, '))}\n\n`)
  const [insideOfUmlaut, insideOfEmoji] = [greeting.indexOf('ü') + 1, greeting.indexOf('🎉') + 2]
  return play(
    head(),
    body(greeting.subarray(0, insideOfUmlaut)),
    pause(30),
    body(greeting.subarray(insideOfUmlaut, insideOfEmoji)),
    pause(30),
    body(greeting.subarray(insideOfEmoji)),
    pause(60),
    event(textChunk('the answer ')),
    pause(30),
    event(textChunk('is 42.')),
    event(finishChunk()),
    event(usageChunk()),
    event(DONE),
  )
}

const text: TapeSession = {
  name: 'claude-code-text',
  shows:
    'One question and its answer. The pieces of the answer come with pauses between them, and two of them end in the middle of a character.',
  async play({ upstream, claude }) {
    upstream.play(slowText)
    expectPrinted(await claude('What is the answer?', onlyTools('Bash')), 'Grüße 🎉, the answer is 42.')
  },
}

const oneTool: TapeSession = {
  name: 'claude-code-one-tool',
  shows: 'The model says a word, calls one tool and answers with its result.',
  async play({ upstream, claude }) {
    upstream.play(({ body: request }) => {
      const [result] = lastResults(request)
      if (result !== undefined) return { text: `The tool said ${result.trim()}.` }
      return { text: 'I will look.', calls: [bash('echo 4711', 'Says a number')] }
    })
    expectPrinted(await claude('Which number is it?', onlyTools('Bash')), 'The tool said 4711.')
  },
}

const parallelTools: TapeSession = {
  name: 'claude-code-parallel-tools',
  shows:
    'Three calls in one answer. The first takes longest; each result still belongs to its call in the next request.',
  async play({ upstream, claude }) {
    upstream.play(({ body: request }) => {
      if (rounds(request) > 0) {
        const words = answeredCalls(request).map(({ result }) => result.trim())
        return { text: `In order: ${words.join(', ')}.` }
      }
      const calls = [
        bash('sleep 0.4; echo AAA', 'Says A'),
        bash('echo BBB', 'Says B'),
        bash('echo CCC', 'Says C'),
      ]
      return { text: 'All at once.', calls }
    })
    expectPrinted(await claude('Say three words.', onlyTools('Bash')), 'In order: AAA, BBB, CCC.')
  },
}

const failingTool: TapeSession = {
  name: 'claude-code-failing-tool',
  shows: 'A command that fails, and a tool that does not exist. The model learns of both and says so.',
  async play({ upstream, claude }) {
    upstream.play(({ body: request }) => {
      if (rounds(request) > 0) {
        const failed = lastResults(request).filter((result) => /boom|No such tool/.test(result))
        return { text: `${failed.length} calls failed.` }
      }
      return {
        calls: [
          bash('echo boom >&2; exit 3', 'Fails'),
          { name: 'NoSuchTool', arguments: { why: 'a mistake' } },
        ],
      }
    })
    expectPrinted(await claude('Fail, please.', onlyTools('Bash')), '2 calls failed.')
  },
}

const thinking: TapeSession = {
  name: 'claude-code-thinking',
  shows:
    'The model thinks before it calls a tool and again before it answers. Claude Code sends its thoughts back; this provider does not take them, so they are left out with a note.',
  async play({ upstream, claude }) {
    upstream.play(({ body: request }) => {
      if (rounds(request) > 0) return { reasoning: 'That is odd, so no.', text: 'No, 4711 is odd.' }
      return {
        reasoning: 'I need the number first. Größe? 🤔',
        text: 'Let me see.',
        calls: [bash('echo 4711', 'Says a number')],
      }
    })
    expectPrinted(await claude('Is it even?', onlyTools('Bash')), 'No, 4711 is odd.')
  },
}

const image: TapeSession = {
  name: 'claude-code-image',
  shows:
    'A tool reads an image. A result of this dialect cannot hold one, so it follows the result as a message of the user.',
  async play({ upstream, claude, folder }) {
    const file = join(folder, 'dot.png')
    await writeFile(file, Buffer.from(PNG, 'base64'))
    upstream.play(({ body: request }) => {
      if (rounds(request) === 0) return { calls: [{ name: 'Read', arguments: { file_path: file } }] }
      const [url = ''] = imagesOf(request)
      return { text: `It is ${url.split(';', 1)[0]}.` }
    })
    expectPrinted(await claude('What is dot.png?', onlyTools('Read')), 'It is data:image/png.')
  },
}

const TURNS = 30

const thirtyTurns: TapeSession = {
  name: 'claude-code-thirty-turns',
  shows: `${TURNS} turns of tool calls, every fifth of them with two at once. Each request repeats the whole history and begins with the bytes of the one before.`,
  isOwn: (line) => /^turn-\d+$/.test(line),
  async play({ upstream, claude }) {
    upstream.play(({ body: request }) => {
      const turn = rounds(request)
      if (turn === TURNS)
        return { text: `All ${answeredCalls(request).length} results are there.`, piece: 12 }
      const call = bash(`echo turn-${turn}`, `Turn ${turn}`)
      const calls = turn % 5 === 0 ? [call, bash(`echo turn-${turn};`, `Turn ${turn} again`)] : [call]
      return { text: `Turn ${turn}.`, calls, piece: 24 }
    })
    const outcome = await claude('Go on and on.', onlyTools('Bash'))
    expectPrinted(outcome, `All ${TURNS + TURNS / 5} results are there.`)
    expect(upstream.received.length === TURNS + 1, `expected ${TURNS + 1} requests`)
    expectSamePrefix(upstream.received)
  },
}

function bash(command: string, description: string): { name: string; arguments: object } {
  return { name: 'Bash', arguments: { command, description } }
}

/** The only tools that Claude Code may offer and use: the others would fill the tape with their schemas. */
function onlyTools(...names: readonly string[]): readonly string[] {
  return ['--tools', names.join(','), '--allowedTools', ...names]
}

/** Sessions of Claude Code in which nothing goes wrong on the wire. */
export const claudeCode: readonly TapeSession[] = [
  text,
  oneTool,
  parallelTools,
  failingTool,
  thinking,
  image,
  thirtyTurns,
]
