import { expect, expectExit } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'

interface Report {
  readonly result?: string
  readonly is_error?: boolean
  readonly usage?: Readonly<Record<string, unknown>>
}

/** What Claude Code shows of the tokens that the upstream has counted. */
export const usage: Scenario = {
  name: 'usage',
  title: 'token counts arrive, with the cached ones told apart',
  async play({ upstream, claude }) {
    upstream.play(() => ({ text: 'counted' }))
    const outcome = await claude(['-p', 'hi', '--output-format', 'json'])
    expectExit(outcome, 0)
    const { result, is_error: isError, usage: counted } = JSON.parse(outcome.stdout) as Report
    expect(result === 'counted' && isError === false, `got ${outcome.stdout.slice(0, 300)}`)
    for (const [name, tokens] of Object.entries({
      input_tokens: 200,
      cache_read_input_tokens: 1000,
      output_tokens: 34,
    })) {
      expect(counted?.[name] === tokens, `expected ${name} to be ${tokens}, got ${JSON.stringify(counted)}`)
    }
  },
}
