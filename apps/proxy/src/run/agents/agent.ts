import type { Environment } from '@hydra/cli'
import type { DialectName } from '@hydra/core'
import type { ProxyForClient } from '../client-environment.ts'
import type { TemporaryFiles } from '../temporary-files.ts'

/** An agent that `hydra run` knows how to send to the proxy. */
export interface Agent {
  /** What its program is called. */
  readonly name: string
  /** What people call it. */
  readonly title: string
  /** The package on npm that brings it. */
  readonly npm: string
  /** What it speaks to the proxy. */
  readonly speaks: DialectName
  /** What else it can be told to speak. */
  readonly alsoSpeaks?: readonly DialectName[]
  /** Whether it must be given the name of a model; others ask for models they know. */
  readonly needsModel: boolean
  setUp(launch: Launch): AgentSetup
}

/** What an agent is started with. */
export interface Launch {
  readonly proxy: ProxyForClient
  /** What it speaks. */
  readonly dialect: DialectName
  /** The key it brings: that of the proxy, or any where none is asked for. */
  readonly key: string
  /** The model it asks for; always there if it needs one. */
  readonly model: string
  /** The environment it is started in. */
  readonly env: Environment
  /** Files that are removed when the agent has ended. */
  readonly files: TemporaryFiles
}

/** What sends an agent to the proxy. */
export interface AgentSetup {
  /** Variables to set; undefined ones are removed. */
  readonly env: Environment
  /** Arguments in front of those that were typed. */
  readonly args?: readonly string[]
}
