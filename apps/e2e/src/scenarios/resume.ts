import { expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { mentions, rounds } from '../upstream/conversation.ts'

/** A session that ends and is taken up again. */
export const resume: Scenario = {
  name: 'resume',
  title: 'a session is continued with its whole history',
  async play({ upstream, claude }) {
    upstream.play(({ body }) => {
      if (mentions(body, 'user', 'SECOND'))
        return { text: `remembers: ${mentions(body, 'tool', 'from-before')}` }
      if (rounds(body) > 0) return { text: 'first answer' }
      return { calls: [{ name: 'Bash', arguments: { command: 'echo from-before', description: 'Says it' } }] }
    })
    expectPrinted(await claude(['-p', 'FIRST question', '--allowedTools', 'Bash']), 'first answer')
    const outcome = await claude(['-p', 'SECOND question', '--continue', '--allowedTools', 'Bash'])
    expectPrinted(outcome, 'remembers: true')
  },
}
