import { expectPrinted } from '../expectations.ts'
import { NotOffered, type Scenario } from '../scenario.ts'
import { rounds, toolNames } from '../upstream/conversation.ts'

/** Newer versions hold most tools back until the model looks for them. */
export const deferredTool: Scenario = {
  name: 'deferred-tool',
  title: 'a tool that is held back can be called once the model has looked for it',
  async play({ upstream, claude }) {
    let isOffered = true
    upstream.play(({ body }) => {
      const names = toolNames(body)
      if (rounds(body) > 0) return { text: `WebFetch is there: ${names.includes('WebFetch')}` }
      isOffered = names.includes('ToolSearch')
      if (!isOffered || names.includes('WebFetch')) return { text: 'WebFetch is there too early' }
      return { calls: [{ name: 'ToolSearch', arguments: { query: 'select:WebFetch', max_results: 1 } }] }
    })
    const outcome = await claude(['-p', 'look for it', '--allowedTools', 'ToolSearch'])
    if (!isOffered) throw new NotOffered('this version sends all tools at once')
    expectPrinted(outcome, 'WebFetch is there: true')
  },
}
