import { homedir } from 'node:os'
import { createTapeRecorder, defaultRedaction, type TapeRecorder } from '@hydra/tape'
import type { GatewayOptions } from '@hydra/gateway'
import type { Settings } from '../settings/read-settings.ts'
import { VERSION } from '../version.ts'

/** Headers that are set in a configuration to prove who calls. */
const SECRET_HEADER = /key|token|auth|secret|cookie/i

/** Begins to record the traffic, if that is wanted. */
export function startRecording(
  { recording, gateway }: Settings,
  onProblem: (message: string) => void,
): TapeRecorder | undefined {
  if (recording === undefined) return undefined
  return createTapeRecorder({
    folder: recording.folder,
    policy: recording.policy,
    redaction: defaultRedaction(process.env, homedir(), secretsOf(gateway)),
    tool: `hydra/${VERSION}`,
    onProblem,
  })
}

/** The secrets of a configuration, none of which may reach a tape. */
function secretsOf({ upstreams, guard }: GatewayOptions): string[] {
  const keys = [guard?.key, ...Object.values(upstreams).map(({ key }) => key)]
  const headers = Object.values(upstreams).flatMap((upstream) => Object.entries(upstream.headers ?? {}))
  return [
    ...keys.flatMap((key) => (key === undefined ? [] : [key.reveal()])),
    ...headers.filter(([name]) => SECRET_HEADER.test(name)).map(([, value]) => value),
  ]
}
