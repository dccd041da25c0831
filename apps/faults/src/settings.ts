import { type Client, CLIENTS, dialectOf } from './clients.ts'
import type { Tally } from './fault.ts'
import type { ProxyOptions } from './proxy-process.ts'
import { inParallel } from './until.ts'

/** A proxy in front of an upstream that answers as a client's own provider does, and who asks it. */
export interface Setting {
  readonly provider: Client
  readonly clients: readonly Client[]
  readonly options: ProxyOptions
}

/** Every client on every upstream: equal dialects are relayed and, once more, passed through. */
export const SETTINGS: readonly Setting[] = CLIENTS.flatMap((provider) => {
  const dialect = dialectOf(provider)
  return [
    { provider, clients: CLIENTS, options: { dialect } },
    { provider, clients: [provider], options: { dialect, route: { passthrough: true } } },
  ]
})

/** Those in which the proxy answers for what it sends: what is passed through is the upstream's own. */
export const OWN_SETTINGS: readonly Setting[] = SETTINGS.filter(({ options }) => !options.route?.passthrough)

/** Most of the time goes by with waiting for connections that close by themselves. */
const AT_ONCE = 4

/** Does the same in several settings, and gives the sums of what came of it. */
export async function inEach(
  settings: readonly Setting[],
  work: (setting: Setting) => Promise<Tally>,
): Promise<Tally> {
  const tallies = await inParallel(settings.length, AT_ONCE, (index) => work(settings[index] as Setting))
  const sum = (column: keyof Tally): number => tallies.reduce((total, tally) => total + tally[column], 0)
  return { tried: sum('tried'), lies: sum('lies'), lost: sum('lost'), leaked: sum('leaked') }
}

/** How an answer is treated in a setting, for what is told of one. */
export function wayOf({ provider, options }: Setting, client: Client): string {
  const isEqual = client === provider
  const way = options.route?.passthrough ? 'passed through' : isEqual ? 'relayed' : 'translated'
  return `${client.name} on ${provider.name}, ${way}`
}
