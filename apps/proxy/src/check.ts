import type { Route, Upstream } from '@hydra/gateway'
import { parseOnlyOptions } from './cli/parse-options.ts'
import { routeLines } from './serve/banner.ts'
import { asksForKey, refuseOpenDoor } from './serve/open-door.ts'
import { shownAddress } from './settings/address.ts'
import { missingKeys } from './settings/providers.ts'
import { readSettings, type Settings } from './settings/read-settings.ts'

/** `hydra check`: reads the settings as `serve` would, and prints where requests would go. */
export async function check(args: readonly string[]): Promise<number> {
  const settings = await readSettings(parseOnlyOptions('check', args), process.env)
  refuseOpenDoor(settings)
  process.stdout.write(checkText(settings))
  return 0
}

/** What `hydra check` prints. */
export function checkText(settings: Settings): string {
  const { gateway, isDemo, configFile, host, port, workers } = settings
  const { upstreams } = gateway
  const missing = missingKeys(gateway)
  const lines = [
    `configuration: ${configFile ?? 'none'}`,
    `listens on ${host}:${port}, ${workers === 1 ? '1 process' : `${workers} processes`}, asks for ${asksForKey(settings) ? 'a' : 'no'} key`,
    ...Object.entries(upstreams).map(
      ([name, upstream]) => `upstream ${name}: ${upstreamText(upstream, missing.get(name))}`,
    ),
    ...(isDemo ? ['upstream demo: built in, a script'] : []),
    ...routeLines(gateway).map((line, index) => `route ${index + 1}. ${line}`),
    ...(gateway.routes.some(takesEverything)
      ? []
      : ['NO ROUTE for everything else: it is refused with 404; a last route without a match would take it']),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function takesEverything({ match = {} }: Route): boolean {
  const { models = [], ...others } = match
  return Object.keys(others).length === 0 && (match.models === undefined || models.includes('*'))
}

function upstreamText({ dialect, url, profile, key }: Upstream, missingKey: string | undefined): string {
  const missing = missingKey === undefined ? 'no key' : `NO KEY: set ${missingKey}`
  return `${dialect} at ${shownAddress(url)}, profile ${profile.name}, ${key === undefined ? missing : 'with a key'}`
}
