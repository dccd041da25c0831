import { expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { lastResults } from '../upstream/conversation.ts'

/** A tool that fails: the model must learn of it. */
export const failingTool: Scenario = {
  name: 'failing-tool',
  title: 'the error of a tool, and of a tool that does not exist, reach the model',
  async play({ upstream, claude }) {
    upstream.play(({ body }) => {
      const results = lastResults(body)
      if (results.length > 0) return { text: `saw: ${results.join(' | ').replaceAll('\n', ' ')}` }
      return {
        calls: [
          { name: 'Bash', arguments: { command: 'echo boom >&2; exit 3', description: 'Fails' } },
          { name: 'NoSuchTool', arguments: {} },
        ],
      }
    })
    const outcome = await claude(['-p', 'fail please', '--allowedTools', 'Bash'])
    expectPrinted(outcome, 'boom')
    expectPrinted(outcome, 'Exit code 3')
    expectPrinted(outcome, 'No such tool available: NoSuchTool')
  },
}
