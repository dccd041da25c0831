import { expect, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { lastResults, rounds } from '../upstream/conversation.ts'

/** A search runs on Anthropic's servers only; without them it must fail like any other tool. */
export const webSearch: Scenario = {
  name: 'web-search',
  title: 'a web search is answered with a clear tool error, and the session goes on',
  async play({ upstream, claude }) {
    upstream.play(({ body }) =>
      rounds(body) === 0
        ? { calls: [{ name: 'WebSearch', arguments: { query: 'hydra' } }] }
        : { text: `went on after: ${lastResults(body).join()}` },
    )
    const outcome = await claude(['-p', 'search', '--allowedTools', 'WebSearch'])
    expectPrinted(outcome, 'went on after:')
    const isExplained = /web_search\S* runs on Anthropic's servers only/.test(outcome.stdout)
    expect(isExplained, `expected to be told why, got ${outcome.stdout.slice(0, 300)}`)
    expect(upstream.received.length === 2, `expected two requests, got ${upstream.received.length}`)
  },
}
