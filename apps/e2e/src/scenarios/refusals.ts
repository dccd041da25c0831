import { refuse } from '@hydra/testkit'
import { expect, expectFailure, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'

/** A key that the provider does not know: asking again would not help, and Claude Code must know that. */
export const unauthorized: Scenario = {
  name: 'unauthorized',
  title: 'a 401 is shown as an authentication failure, at once',
  async play({ upstream, claude }) {
    const message = 'Incorrect API key provided: sk-e2e-***eam. You can find your API key in your account.'
    const error = { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' }
    upstream.play(() => refuse(401, error))
    expectFailure(await claude(['-p', 'hi']), /authenticat|401|API key/i)
    expect(upstream.received.length <= 2, `asked ${upstream.received.length} times`)
  },
}

const REFUSED = 4
const WAIT_SECONDS = 1

/** A limit that outlasts the proxy's own tries, so that Claude Code has to wait as well. */
export const rateLimit: Scenario = {
  name: 'rate-limit',
  title: 'a 429 with retry-after is waited out, by the proxy and by Claude Code',
  async play({ upstream, claude }) {
    const error = { message: 'Rate limit reached', type: 'tokens', param: null, code: 'rate_limit_exceeded' }
    upstream.play((_, number) =>
      number < REFUSED
        ? refuse(429, error, { 'retry-after': String(WAIT_SECONDS) })
        : { text: 'after the wait' },
    )
    expectPrinted(await claude(['-p', 'hi']), 'after the wait')
    const times = upstream.received.map(({ at }) => at)
    const pauses = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1000)
    expect(pauses.length === REFUSED, `expected ${REFUSED + 1} requests, got ${times.length}`)
    const shown = pauses.map((pause) => pause.toFixed(2)).join(', ')
    expect(Math.min(...pauses) > WAIT_SECONDS * 0.95, `expected pauses of ${WAIT_SECONDS} s, got ${shown}`)
  },
}
