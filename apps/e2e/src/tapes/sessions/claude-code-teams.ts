import type { ScriptedAnswer } from '@hydra/testkit'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { expect, expectPrinted } from '../../expectations.ts'
import { lastResults, mentions, rounds, toolNames } from '../../upstream/conversation.ts'
import { userTexts } from '../../upstream/anthropic-upstream.ts'
import type { TapeSession } from '../session.ts'

const TASK = 'Find the number that the teammate is asked for.'
const FOUND = 'The number is 4711.'
const ARGS = ['--tools', 'Bash,Agent,Task', '--allowedTools', 'Bash', 'Agent', 'Task']

/** What the lead calls for a teammate with: newer versions would not wait for it otherwise. */
const HANDED_OVER = {
  description: 'Find it',
  prompt: TASK,
  subagent_type: 'general-purpose',
  run_in_background: false,
}

function isOwn(line: string): boolean {
  return line === TASK || line === FOUND
}

const mixedTeam: TapeSession = {
  name: 'claude-code-mixed-team',
  shows:
    'The lead passes through unchanged to Anthropic (a scripted one), its teammate is translated for another provider. Both are in one session, and the result of the teammate reaches the lead.',
  isOwn,
  proxy: (url) => ({ flags: ['--passthrough', 'lead', '--anthropic-url', url] }),
  async play({ upstream, anthropic, claude }) {
    anthropic.play((request) => {
      if (userTexts(request).some((said) => said.includes(FOUND))) return { text: 'The lead knows: 4711.' }
      const name =
        (request.tools ?? []).map((tool) => ('name' in tool ? tool.name : '')).find(isForTeams) ?? 'Agent'
      return { text: 'A teammate will find it.', calls: [{ name, input: HANDED_OVER }] }
    })
    upstream.play(({ body }) => teammate(body))
    expectPrinted(await claude('You are the hydra:lead. Find the number.', ARGS), 'The lead knows: 4711.')
    expect(
      upstream.received.length === 2,
      `expected two calls of the teammate, got ${upstream.received.length}`,
    )
  },
}

function isForTeams(name: string): boolean {
  return name === 'Agent' || name === 'Task'
}

/** The teammate, which finds the number with a tool. */
function teammate(request: ChatCompletionCreateParams): ScriptedAnswer {
  if (rounds(request) > 0) return { text: `The number is ${lastResults(request)[0]?.trim()}.` }
  return { calls: [{ name: 'Bash', arguments: { command: 'echo 4711', description: 'Finds it' } }] }
}

const JOB = 'Let somebody else find the number.'

const translatedTeam: TapeSession = {
  name: 'claude-code-translated-team',
  shows:
    'A lead and its teammate, both translated for the same provider, as an older Claude Code runs them: each has a conversation of its own.',
  version: '2.1.197',
  isOwn,
  async play({ upstream, claude }) {
    upstream.play(({ body }) => (mentions(body, 'user', JOB) ? lead(body) : teammate(body)))
    expectPrinted(await claude(JOB, ARGS), 'The lead knows: 4711.')
    expect(upstream.received.length === 4, `expected four requests, got ${upstream.received.length}`)
  },
}

function lead(request: ChatCompletionCreateParams): ScriptedAnswer {
  if (mentions(request, 'tool', FOUND)) return { text: 'The lead knows: 4711.' }
  return { calls: [{ name: toolNames(request).find(isForTeams) ?? 'Agent', arguments: HANDED_OVER }] }
}

/** Sessions of Claude Code in which one agent hands something to another. */
export const claudeCodeTeams: readonly TapeSession[] = [mixedTeam, translatedTeam]
