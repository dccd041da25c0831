import type Anthropic from '@anthropic-ai/sdk'
import type { GoogleGenAI } from '@google/genai'
import type { Outcome } from '../processes.ts'
import type { ProxyOptions } from '../proxy.ts'
import type { Rules, StrictUpstream } from '../upstream/strict-upstream.ts'
import type { AnthropicUpstream } from '../upstream/anthropic-upstream.ts'
import type { IsOwn } from './placeholders/third-party.ts'

/** What a session is recorded on: a proxy that records, its upstreams, and the clients. */
export interface TapeStage {
  readonly upstream: StrictUpstream
  /** Where requests go that pass through unchanged. */
  readonly anthropic: AnthropicUpstream
  /** Where Claude Code works; the same folder on every machine. */
  readonly folder: string
  /** Runs Claude Code in print mode with a prompt, under a session id of its own. */
  readonly claude: (prompt: string, args: readonly string[]) => Promise<Outcome>
  /** Runs the agent of the session in print mode with a prompt, by `hydra run`. */
  readonly agent: (prompt: string) => Promise<Outcome>
  /** The official SDK, which does not try again by itself. */
  readonly sdk: Anthropic
  /** Google's SDK, which does not try again either. */
  readonly genai: GoogleGenAI
}

/** A session that becomes a fixture. */
export interface TapeSession {
  /** The name of its folder: the client and what it shows. */
  readonly name: string
  /** What it shows, in a few sentences for its README. */
  readonly shows: string
  /** The version of Claude Code, where it is not the newest that is known here. */
  readonly version?: string
  /** The program of the agent that is recorded, and what people call it, where it is not Claude Code. */
  readonly program?: string
  readonly agent?: string
  /** Files in the home folder of the client. */
  readonly home?: Readonly<Record<string, string>>
  /** A script on an official SDK is recorded: everything in it is ours. */
  readonly isScript?: true
  /** Which of the lines that users and tools have said are ours; only for Claude Code, which adds others. */
  readonly isOwn?: IsOwn
  readonly proxy?: (anthropicUrl: string) => ProxyOptions
  /** What the upstream refuses, where it is not a provider like OpenAI. */
  readonly rules?: Rules
  /** Plays it; throws unless the client got what it should. */
  readonly play: (stage: TapeStage) => Promise<void>
}
