import type {
  HubError,
  HubMessage,
  HubRequest,
  HubResponse,
  HubStopReason,
  HubUsage,
  LoopGuard,
  LoopTrip,
  MessageSink,
  Note,
  Notes,
} from '@hydra/core'
import type { PartEvent } from './answer-part.ts'
import type { Conversation } from './conversation.ts'
import type { Trim } from './trim.ts'

/** A tool that a model may call. */
export interface AgentTool {
  readonly name: string
  readonly description?: string
  /** The JSON schema of its input. Models mostly keep to it; a tool that must be sure checks. */
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
  /** Does the work. A text is the result as it is, anything else is written as JSON; what is thrown is an error result. */
  run(input: Readonly<Record<string, unknown>>, call: ToolCall): unknown
}

/** What a tool gets beside its input. */
export interface ToolCall {
  readonly id: string
  /** Aborted when the time is up or the run ends; what the tool returns after that is ignored. */
  readonly signal: AbortSignal
}

/** Where the answer of a turn is written, and when it is no longer wanted. */
export interface Turn {
  readonly sink: MessageSink
  readonly signal: AbortSignal
  /** Takes notes of what the sender had to change. */
  readonly notes: Notes
}

/** Sends a request to a model: it returns the whole answer, or writes it to the sink while it comes. */
export type SendTurn = (request: HubRequest, turn: Turn) => Promise<HubResponse | void>

/** Calls back after some milliseconds, unless what it gives is called before. */
export type Timer = (milliseconds: number, callback: () => void) => () => void

/** What an agent is made of. */
export interface AgentOptions {
  /** How the conversation begins, or one that goes on; one that is given is changed. */
  readonly messages: readonly HubMessage[] | Conversation
  readonly system?: HubRequest['system']
  readonly tools: readonly AgentTool[]
  readonly model: string
  readonly send: SendTurn
  /** How many turns the model may have (25). */
  readonly maxIterations?: number
  readonly signal?: AbortSignal
  readonly onEvent?: (event: AgentEvent) => void
  readonly guard?: LoopGuard
  /** What is left out of what the model is sent; the conversation itself stays whole. */
  readonly trim?: Trim
  /** Further fields of each request, such as `max_tokens` (8192) or `thinking`. */
  readonly request?: Partial<Omit<HubRequest, 'model' | 'messages' | 'system' | 'tools' | 'stream'>>
  /** How long a tool may take that has no limit of its own, in milliseconds. */
  readonly toolTimeout?: number
  /** Measures these limits: without it there are none, as this package has no clock. */
  readonly timer?: Timer
}

/** Something that happens in a run; `iteration` is the id under which the conversation keeps it. */
export type AgentEvent =
  | { readonly type: 'iteration'; readonly iteration: string; readonly number: number }
  | { readonly type: 'part'; readonly iteration: string; readonly event: PartEvent }
  | { readonly type: 'stored'; readonly iteration: string; readonly usage: HubUsage | undefined }
  | { readonly type: 'loop'; readonly iteration: string; readonly trip: LoopTrip }
  | { readonly type: 'trimmed'; readonly iteration: string; readonly notes: readonly Note[] }

/**
 * How a run ended. `done`: the model stopped. `cut`: its last answer is not whole, as `stopReason` says.
 * `limit`: it had all its turns. `loop`: the guard stopped it. `aborted`: the signal did. `failed`: `error` says what.
 */
export type AgentEnd =
  | { readonly outcome: 'done' | 'cut'; readonly stopReason: HubStopReason | null }
  | { readonly outcome: 'limit'; readonly maxIterations: number }
  | { readonly outcome: 'loop'; readonly trip: LoopTrip }
  | { readonly outcome: 'aborted' }
  | { readonly outcome: 'failed'; readonly error: HubError }

/** What a run came to. */
export type AgentResult = AgentEnd & {
  readonly conversation: Conversation
  /** All iterations together, as far as the upstream said; an iteration that broke off says nothing. */
  readonly usage: HubUsage
  readonly iterations: number
  /** The text of the last answer. */
  readonly text: string
  /** What was changed, dropped or invented on the way; what was left of the history is in the conversation's own. */
  readonly notes: readonly Note[]
}
