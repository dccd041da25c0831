import type { Outcome } from './processes.ts'
import type { StrictUpstream } from './upstream/strict-upstream.ts'

/** How a session of Claude Code is run. */
export interface SessionOptions {
  /** What is piped in. */
  readonly input?: string
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** The program and its first words, where it is not Claude Code itself. */
  readonly command?: readonly string[]
}

/** What a scenario is played on: one proxy, one upstream, one version of Claude Code, and a folder of its own. */
export interface Stage {
  readonly upstream: StrictUpstream
  readonly proxyUrl: string
  /** Where Claude Code works. */
  readonly folder: string
  /** The home of Claude Code. */
  readonly home: string
  /** Runs Claude Code to its end; the sessions of one scenario share their home. */
  readonly claude: (args: readonly string[], options?: SessionOptions) => Promise<Outcome>
}

/** One thing that must work; it throws when it does not. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly play: (stage: Stage) => Promise<void>
}

/** Thrown by a scenario that this version of Claude Code has no use for. */
export class NotOffered extends Error {}
