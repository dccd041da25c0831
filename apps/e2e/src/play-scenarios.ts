import { CLIENT_KEY, UPSTREAM_KEY } from './keys.ts'
import { type RunningProxy, startProxy } from './proxy.ts'
import { NotOffered, type Scenario } from './scenario.ts'
import { buildStage, type Theatre } from './stage.ts'
import { startTripwire } from './tripwire.ts'
import { type StrictUpstream, startStrictUpstream } from './upstream/strict-upstream.ts'

/** How a scenario went. */
export interface Result {
  readonly name: string
  readonly verdict: 'PASS' | 'FAIL' | 'SKIP'
  /** Why, unless it passed. */
  readonly reason: string
  readonly seconds: number
}

/** What is played, with what, and where. */
export interface Programme {
  readonly scenarios: readonly Scenario[]
  /** The `claude` program. */
  readonly binary: string
  readonly folder: string
  /** Told of each scenario before and after it. */
  readonly onBegin: (scenario: Scenario) => void
  readonly onResult: (result: Result, log: string) => void
}

/** Plays scenarios one after the other, all through the same proxy, as a working day would. */
export async function playScenarios(programme: Programme): Promise<readonly Result[]> {
  const { scenarios, binary, folder, onBegin, onResult } = programme
  const upstream = await startStrictUpstream()
  const tripwire = await startTripwire()
  try {
    const proxy = await startProxy(upstream.url, folder)
    const theatre = { binary, upstream, tripwire, folder, proxyUrl: proxy.url }
    const results: Result[] = []
    for (const scenario of [...scenarios, ending(proxy)]) {
      onBegin(scenario)
      const logged = proxy.output.length
      // oxlint-disable-next-line no-await-in-loop -- scenarios share the upstream
      const result = await playOne(scenario, theatre, proxy)
      onResult(result, proxy.output.slice(logged))
      results.push(result)
    }
    return results
  } finally {
    tripwire.close()
    await upstream.close()
  }
}

async function playOne(scenario: Scenario, theatre: Theatre, proxy: RunningProxy): Promise<Result> {
  const { name } = scenario
  const began = performance.now()
  const took = (): number => (performance.now() - began) / 1000
  try {
    await scenario.play(await buildStage(theatre))
    expectClean(theatre, proxy)
    return { name, verdict: 'PASS', reason: '', seconds: took() }
  } catch (error) {
    if (error instanceof NotOffered) return { name, verdict: 'SKIP', reason: error.message, seconds: took() }
    const reason = [error instanceof Error ? error.message : String(error), ...refused(theatre.upstream)]
    return { name, verdict: 'FAIL', reason: reason.join('; '), seconds: took() }
  }
}

/** What must hold after every scenario. */
function expectClean({ upstream, tripwire }: Theatre, { output }: RunningProxy): void {
  const [problem] = refused(upstream)
  if (problem !== undefined) throw new Error('the answers are right, but not all requests were')
  const [outside] = tripwire.touched()
  if (outside !== undefined) throw new Error(`something wanted to reach ${outside}`)
  for (const key of [CLIENT_KEY, UPSTREAM_KEY]) {
    if (output.includes(key)) throw new Error(`the proxy has logged the key ${key}`)
  }
}

function refused({ received }: StrictUpstream): readonly string[] {
  const problems = new Set(received.flatMap((request) => request.problems))
  return [...problems].slice(0, 3).map((problem) => `the upstream refused a request: ${problem}`)
}

/** The last scenario: the proxy is still there after all of them, and goes when it is told to. */
function ending(proxy: RunningProxy): Scenario {
  return {
    name: 'ending',
    title: 'the proxy has survived everything, and ends when it is told to',
    async play({ upstream }) {
      upstream.play(() => ({ text: 'over' }))
      if (!proxy.isRunning) throw new Error('the proxy has ended by itself')
      const code = await proxy.stop()
      if (code !== 0) throw new Error(`expected the proxy to end with 0, got ${code}`)
    },
  }
}
