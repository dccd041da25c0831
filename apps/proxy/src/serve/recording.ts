import { homedir } from 'node:os'
import { createTapeRecorder, defaultRedaction, type Redaction, type TrafficRecorder } from '@hydra/tape'
import type { GatewayOptions } from '@hydra/gateway'
import type { Settings } from '../settings/read-settings.ts'
import { VERSION } from '../version.ts'

/** Headers that are set in a configuration to prove who calls. */
const SECRET_HEADER = /key|token|auth|secret|cookie/i

/** Begins to record the traffic, if that is wanted. */
export function startRecording(
  { recording }: Settings,
  redaction: Redaction,
  onProblem: (message: string) => void,
): TrafficRecorder | undefined {
  if (recording === undefined) return undefined
  return createTapeRecorder({
    folder: recording.folder,
    policy: recording.policy,
    redaction,
    tool: `hydra/${VERSION}`,
    ...(recording.workspace !== undefined && { workspace: recording.workspace }),
    onProblem,
  })
}

/** The rules by which the secrets of a configuration are kept off tapes and pages. */
export function redactionFor({ gateway }: Settings): Redaction {
  return defaultRedaction(process.env, homedir(), secretsOf(gateway))
}

/** The secrets of a configuration, none of which may reach a tape or a page. */
export function secretsOf({ upstreams, guard }: GatewayOptions): string[] {
  const all = Object.values(upstreams)
  const pooled = all.flatMap(({ keys: pool = [] }) => pool.map(({ key }) => key))
  const keys = [guard?.key, ...all.map(({ key }) => key), ...pooled]
  const headers = all.flatMap((upstream) => Object.entries(upstream.headers ?? {}))
  return [
    ...keys.flatMap((key) => (key === undefined ? [] : [key.reveal()])),
    ...headers.filter(([name]) => SECRET_HEADER.test(name)).map(([, value]) => value),
  ]
}
