import type { GatewayOptions } from '@hydra/gateway'

/** How log lines are written. */
export type LogFormat = 'pretty' | 'json' | 'silent'

/** Where traffic is recorded, and what happens when it cannot be. */
export interface RecordingSettings {
  /** The whole path. */
  readonly folder: string
  readonly policy: 'lenient' | 'strict'
}

/** Everything the proxy needs to run, from the command line, the environment and the configuration. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly log: LogFormat
  /** Whether each log line is followed by what was translated into what. */
  readonly traces: boolean
  /** Where tapes are written, if they are. */
  readonly recording?: RecordingSettings | undefined
  /** Start off loopback even without a key. */
  readonly insecure: boolean
  readonly gateway: GatewayOptions
  /** No target was given: the built-in demo answers. */
  readonly isDemo: boolean
  /** How long streams may go on after the first signal, in milliseconds. */
  readonly drainLimit: number
  /** How long a connection to an upstream may take to open, in milliseconds. */
  readonly connectTimeout?: number | undefined
  /** Where the configuration was read from, if it was. */
  readonly configFile?: string | undefined
}
