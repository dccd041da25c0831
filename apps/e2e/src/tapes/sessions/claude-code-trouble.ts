import { cut, event, head, play, refuse, textChunk } from '@hydra/testkit'
import { expect, expectExit, expectFailure, expectPrinted } from '../../expectations.ts'
import type { TapeSession } from '../session.ts'

const BASH = ['--tools', 'Bash', '--allowedTools', 'Bash']

const interrupted: TapeSession = {
  name: 'claude-code-interrupted-stream',
  shows:
    'The upstream closes the connection in the middle of its answer. The client is told so by an error event, not by an end; Claude Code asks again, without a stream, and gets the right answer.',
  async play({ upstream, claude }) {
    const broken = play(head(), event(textChunk('The wrong ans')), cut('close'))
    upstream.play((_, number) => (number === 0 ? broken : { text: 'The right answer.' }))
    const outcome = await claude('What is right?', BASH)
    expectExit(outcome, 0)
    expect(outcome.stdout.trim() === 'The right answer.', `got ${JSON.stringify(outcome.stdout)}`)
  },
}

const unauthorized: TapeSession = {
  name: 'claude-code-upstream-error',
  shows: "The upstream does not know the proxy's key. Claude Code shows an authentication error at once.",
  async play({ upstream, claude }) {
    const message = 'Incorrect API key provided.'
    upstream.play(() =>
      refuse(401, { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' }),
    )
    expectFailure(await claude('Hello?', BASH), /authenticat|401|API key/i)
  },
}

const retry: TapeSession = {
  name: 'claude-code-retry',
  shows:
    'The upstream is overloaded at first (503) and asks for patience the second time (429). The proxy tries again by itself: one exchange with three calls, and Claude Code sees only the answer.',
  async play({ upstream, claude }) {
    const overloaded = {
      message: 'The engine is currently overloaded',
      type: 'server_error',
      param: null,
      code: null,
    }
    const limited = {
      message: 'Rate limit reached',
      type: 'tokens',
      param: null,
      code: 'rate_limit_exceeded',
    }
    upstream.play((_, number) => {
      if (number === 0) return refuse(503, overloaded)
      return number === 1 ? refuse(429, limited, { 'retry-after': '1' }) : { text: 'After two refusals.' }
    })
    expectPrinted(await claude('Are you there?', BASH), 'After two refusals.')
    expect(upstream.received.length === 3, `expected three calls, got ${upstream.received.length}`)
  },
}

/** Sessions of Claude Code with failures on the wire. */
export const claudeCodeTrouble: readonly TapeSession[] = [interrupted, unauthorized, retry]
