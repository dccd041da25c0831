import { CLIENT_KEY, UPSTREAM_KEY } from './keys.ts'
import { playTwice, type Verdict } from './play-twice.ts'
import { type RunningProxy, startProxy } from './proxy.ts'
import { NotOffered, type Scenario } from './scenario.ts'
import { buildStage, type Theatre } from './stage.ts'
import { startTripwire } from './tripwire.ts'
import { type StrictUpstream, startStrictUpstream } from './upstream/strict-upstream.ts'

/** How a scenario went. */
export interface Result extends Verdict {
  readonly name: string
}

/** What is played, with what, and where. */
export interface Programme {
  readonly scenarios: readonly Scenario[]
  /** The `claude` program. */
  readonly binary: string
  readonly folder: string
  /** Told of each scenario after it. */
  readonly onResult: (result: Result, log: string) => void
}

/** Plays scenarios one after the other, all through the same proxy, as a working day would. */
export async function playScenarios(programme: Programme): Promise<readonly Result[]> {
  const { scenarios, binary, folder, onResult } = programme
  const upstream = await startStrictUpstream()
  const tripwire = await startTripwire()
  try {
    const proxy = await startProxy(upstream.url, folder)
    const theatre = { binary, upstream, tripwire, folder, proxyUrl: proxy.url }
    const results: Result[] = []
    for (const scenario of [...scenarios, ending(proxy)]) {
      const logged = proxy.output.length
      // oxlint-disable-next-line no-await-in-loop -- scenarios share the upstream
      const verdict = await playTwice(() => playOne(scenario, theatre, proxy))
      const result = { name: scenario.name, ...verdict }
      onResult(result, proxy.output.slice(logged))
      results.push(result)
    }
    return results
  } finally {
    tripwire.close()
    await upstream.close()
  }
}

async function playOne(scenario: Scenario, theatre: Theatre, proxy: RunningProxy): Promise<void> {
  // What another try has reached for is none of this one's.
  theatre.tripwire.touched()
  try {
    await scenario.play(await buildStage(theatre))
    expectClean(theatre, proxy)
  } catch (error) {
    const reasons = refused(theatre.upstream)
    if (reasons.length === 0 || !(error instanceof Error) || error instanceof NotOffered) throw error
    throw new Error([error.message, ...reasons].join('; '), { cause: error })
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
