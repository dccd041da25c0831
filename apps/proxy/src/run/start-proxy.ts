import { UsageError } from '@hydra/cli'
import type { Secret, TrafficRecorder } from '@hydra/gateway'
import { parseOptions } from '../cli/parse-options.ts'
import { createLog } from '../log/log.ts'
import { secretsOf } from '../serve/recording.ts'
import { startServer } from '../serve/server.ts'
import { readSettings } from '../settings/read-settings.ts'

/** A proxy that runs in this process. */
export interface StartedProxy {
  readonly url: string
  /** The key that its clients need. */
  readonly key: Secret | undefined
  stop(): Promise<void>
}

/** Makes a recorder of the proxy's traffic, which is told what must not be written down. */
export type RecordTraffic = (secrets: readonly string[]) => TrafficRecorder

/** Starts a proxy on a free port with what `hydra serve` takes. */
export async function startProxy(args: readonly string[], record?: RecordTraffic): Promise<StartedProxy> {
  const { options, rest } = parseOptions(['--port', '0', ...args])
  if (rest.length > 0) throw new UsageError(`expected options of hydra serve, got '${rest.join(' ')}'`)
  const settings = await readSettings({ log: 'silent', ...options }, process.env)
  const log = createLog(settings, (text) => void process.stderr.write(text))
  const traffic = record?.(secretsOf(settings.gateway))
  const server = await startServer(settings, log, traffic)
  return { url: server.url, key: settings.gateway.guard?.key, stop: () => server.drain(0) }
}
