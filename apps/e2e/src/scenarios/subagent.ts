import type { ScriptedAnswer } from '@hydra/testkit'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { lastResults, mentions, rounds, toolNames } from '../upstream/conversation.ts'

const RESULT = 'the teammate found 4711'

/** A lead that hands a task to a teammate, which has a conversation of its own. */
export const subagent: Scenario = {
  name: 'subagent',
  title: 'a subagent works with tools of its own, and its result reaches the lead',
  async play({ upstream, claude }) {
    upstream.play(({ body }) => (mentions(body, 'user', 'THE-WHOLE-JOB') ? lead(body) : teammate(body)))
    const args = ['-p', 'THE-WHOLE-JOB', '--allowedTools', 'Bash', 'Agent', 'Task']
    expectPrinted(await claude(args), 'the lead knows it too')
  },
}

/** Newer versions run teammates in the background: the result may come later, as a message. */
function lead(body: ChatCompletionCreateParams): ScriptedAnswer {
  if (mentions(body, 'tool', RESULT) || mentions(body, 'user', RESULT))
    return { text: 'the lead knows it too' }
  if (rounds(body) > 0) return { text: 'waiting for the teammate' }
  const name = toolNames(body).find((tool) => tool === 'Agent' || tool === 'Task') ?? 'Agent'
  const input = { description: 'Find it', prompt: 'Find the number.', subagent_type: 'general-purpose' }
  return { calls: [{ name, arguments: input }] }
}

function teammate(body: ChatCompletionCreateParams): ScriptedAnswer {
  const [found] = lastResults(body)
  if (found !== undefined) return { text: `the teammate found ${found.trim()}` }
  return { calls: [{ name: 'Bash', arguments: { command: 'echo 4711', description: 'Finds it' } }] }
}
