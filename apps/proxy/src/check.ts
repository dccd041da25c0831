import { parseOptions } from './cli/options.ts'
import { routeLines } from './serve/banner.ts'
import { readSettings } from './settings/read-settings.ts'

/** `hydra check`: reads the settings as `serve` would, and prints where requests would go. */
export async function check(args: readonly string[]): Promise<number> {
  const { options } = parseOptions(args)
  const settings = await readSettings(options, process.env)
  const { gateway, isDemo, configFile, host, port } = settings
  process.stdout.write(`configuration: ${configFile ?? 'none'}\nlistens on ${host}:${port}\n`)
  for (const [name, upstream] of Object.entries(gateway.upstreams)) {
    const key = upstream.key === undefined ? 'no key' : 'with a key'
    process.stdout.write(
      `upstream ${name}: ${upstream.dialect} at ${upstream.url}, profile ${upstream.profile.name}, ${key}\n`,
    )
  }
  for (const [index, line] of routeLines(gateway).entries())
    process.stdout.write(`route ${index + 1}. ${line}\n`)
  if (isDemo) process.stdout.write('route: everything → the built-in demo model\n')
  return 0
}
