import { freePort, refuse } from '@hydra/testkit'
import { expect, expectExit, expectPrinted } from '../expectations.ts'
import { UPSTREAM_KEY } from '../keys.ts'
import { HYDRA, MODEL } from '../proxy.ts'
import type { Outcome } from '../processes.ts'
import type { Scenario } from '../scenario.ts'
import { lastResults } from '../upstream/conversation.ts'

/** An address where nobody listens: `hydra run` has to replace it. */
const UNREACHABLE = 'http://127.0.0.1:9'

/** `hydra run claude`: one command for the proxy and the client. */
export const hydraRun: Scenario = {
  name: 'hydra-run',
  title: '`hydra run claude -p …` starts a proxy or finds one, and gives back the exit code',
  async play({ upstream, claude, proxyUrl }) {
    const env = { OPENAI_API_KEY: UPSTREAM_KEY, ANTHROPIC_BASE_URL: UNREACHABLE }
    const target = ['--target-url', upstream.url, '--model', MODEL]
    const runOn = (port: number): Promise<Outcome> =>
      claude(['-p', 'run it', '--allowedTools', 'Bash'], { env, command: hydraRunning(port, target) })
    upstream.play(({ body }) => {
      const [result] = lastResults(body)
      if (result !== undefined) return { text: `the tool said: ${result.trim()}` }
      return { calls: [{ name: 'Bash', arguments: { command: 'echo all-in-one', description: 'Says it' } }] }
    })
    const own = await runOn(await freePort())
    expectPrinted(own, 'the tool said: all-in-one')
    expect(own.stdout.trim() === 'the tool said: all-in-one', `expected only the answer, got ${own.stdout}`)
    expectPrinted(await runOn(Number(new URL(proxyUrl).port)), 'the tool said: all-in-one')
    const error = { message: 'Incorrect API key', type: 'invalid_request_error', code: 'invalid_api_key' }
    upstream.play(() => refuse(401, error))
    expectExit(await runOn(await freePort()), 1)
  },
}

/** What a newcomer without any key sees. */
export const demo: Scenario = {
  name: 'demo',
  title: '`hydra run claude -p …` without a key is answered by the built-in demo model',
  async play({ upstream, claude }) {
    upstream.play(() => ({ text: 'nobody should ask' }))
    const command = hydraRunning(await freePort())
    const outcome = await claude(['-p', 'say hi'], { env: { ANTHROPIC_BASE_URL: UNREACHABLE }, command })
    expectExit(outcome, 0)
    expect(/demo/i.test(outcome.stdout), `expected the demo to say what it is, got ${outcome.stdout}`)
    expect(upstream.received.length === 0, 'the demo has asked the upstream')
  },
}

/** `hydra run` in front of Claude Code, with the proxy on a port. */
export function hydraRunning(port: number, options: readonly string[] = []): readonly string[] {
  return [process.execPath, HYDRA, 'run', '--port', String(port), ...options, 'claude']
}
