import { expectPrinted, expectSamePrefix } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { lastResults } from '../upstream/conversation.ts'

/** One tool call, and an answer that depends on its result. */
export const bash: Scenario = {
  name: 'bash',
  title: 'a tool runs and its result comes back',
  async play({ upstream, claude }) {
    upstream.play(({ body }) => {
      const [result] = lastResults(body)
      if (result !== undefined) return { text: `the tool said: ${result.trim()}` }
      const input = { command: 'echo $((6*7))-ok', description: 'Computes' }
      return { text: 'Let me run it.', calls: [{ name: 'Bash', arguments: input }] }
    })
    expectPrinted(await claude(['-p', 'run it', '--allowedTools', 'Bash']), 'the tool said: 42-ok')
    expectSamePrefix(upstream.received)
  },
}
