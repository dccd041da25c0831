import type { GatewayOptions } from '@hydra/gateway'

/** How log lines are written. */
export type LogFormat = 'pretty' | 'json' | 'debug' | 'silent'

/** Everything the proxy needs to run, from the command line, the environment and the configuration. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly log: LogFormat
  /** Start off loopback even without a key. */
  readonly insecure: boolean
  readonly gateway: GatewayOptions
  /** No key and no target were given: the built-in demo answers. */
  readonly isDemo: boolean
  /** Where the configuration was read from, if it was. */
  readonly configFile?: string | undefined
}
