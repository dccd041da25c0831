import { inClone, UsageError } from '@hydra/cli'
import { parseOnlyOptions } from '../cli/parse-options.ts'
import { findRunning } from '../run/find-running.ts'
import { refuseOpenDoor } from '../serve/open-door.ts'
import { shownAddress } from '../settings/address.ts'
import { missingKeys, passingUpstreams } from '../settings/providers.ts'
import { readSettings, type Settings } from '../settings/read-settings.ts'
import { bad, type Finding, findingLine, good } from './finding.ts'
import { askTargets } from './ask-targets.ts'
import { checkStore } from './check-store.ts'
import { reachPassthrough } from './reach-passthrough.ts'

/** To the beginning of a terminal's line, and all of it away. */
const BACK = '\r'
const CLEAR = '\u001B[2K'

/** `hydra doctor`: checks port, key, reachability, streaming and the time to the first token. */
export async function doctor(args: readonly string[]): Promise<number> {
  let isWell = true
  for await (const finding of examine(args)) {
    if (finding.level === 'wait') {
      if (process.stdout.isTTY) process.stdout.write(`${findingLine(finding)} …${BACK}`)
      continue
    }
    process.stdout.write(
      `${process.stdout.isTTY ? CLEAR : ''}${inClone(findingLine(finding), process.env)}\n`,
    )
    isWell &&= finding.level !== 'FAIL'
  }
  return isWell ? 0 : 1
}

async function* examine(args: readonly string[]): AsyncGenerator<Finding> {
  const options = parseOnlyOptions('doctor', args)
  let settings: Settings
  try {
    settings = await readSettings({ log: 'silent', ...options }, process.env)
    refuseOpenDoor(settings)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    yield bad(error.message)
    return
  }
  yield await checkPort(settings)
  yield* checkKeys(settings)
  yield* checkStore(settings)
  yield* reachPassthrough(settings.gateway)
  yield* askTargets(settings)
}

async function checkPort({ host, port, gateway }: Settings): Promise<Finding> {
  const { who } = await findRunning({ host, port, key: gateway.guard?.key })
  switch (who) {
    case 'nothing':
      return good(port === 0 ? 'port: any that is free' : `port ${port}: free`)
    case 'hydra':
      return good(`port ${port}: a hydra runs there already`)
    case 'locked':
      return bad(`port ${port}: a hydra runs there that asks for another key; set HYDRA_KEY to it`)
    case 'other':
      return bad(`port ${port}: taken by something else; choose another with --port`)
  }
}

function checkKeys({ isDemo, gateway }: Settings): Finding[] {
  if (isDemo) return [good('no target: the built-in demo model will answer')]
  const passing = passingUpstreams(gateway)
  const missing = missingKeys(gateway)
  return Object.entries(gateway.upstreams).map(([name, { key, url }]) => {
    const text = `upstream ${name} at ${shownAddress(url)}`
    if (key !== undefined) return good(`${text}: a key is set`)
    if (passing.has(name)) return good(`${text}: the client brings its own key`)
    const variable = missing.get(name)
    return variable === undefined
      ? good(`${text}: no key is set`)
      : bad(`${text}: no key is set; set ${variable}`)
  })
}
