import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaTextBlockParam,
  BetaToolResultBlockParam,
  BetaToolUnion,
  BetaToolUseBlockParam,
  MessageCreateParamsBase,
} from '@anthropic-ai/sdk/resources/beta/messages/messages'

/** Sampling fields that the current SDK has dropped and older clients still send. */
interface SamplingParams {
  temperature?: number
  top_p?: number
  top_k?: number
}

/**
 * A request in the hub's form: Anthropic Messages with its beta fields.
 * Real agents speak the beta; unknown fields may be present too and are ignored with a note.
 */
export interface HubRequest extends Omit<MessageCreateParamsBase, 'messages' | 'max_tokens'>, SamplingParams {
  messages: HubMessage[]
  /** Absent where a client leaves it to the model. */
  max_tokens?: number
  /** What other dialects can ask for and Anthropic's form has no field for. */
  extras?: HubExtras
}

/**
 * Wishes of clients that Anthropic's form cannot say, by OpenAI's names. An encoder takes those that its upstream
 * knows and leaves a note on each of the others.
 */
export interface HubExtras {
  readonly seed?: number
  readonly frequency_penalty?: number
  readonly presence_penalty?: number
  readonly logit_bias?: Readonly<Record<string, number>>
  /** The answer must be some JSON object; a schema is in `output_config.format`. */
  readonly json_object?: boolean
  /** What the schema in `output_config.format` is called, and whether it is to be kept to strictly. */
  readonly schema_name?: string
  readonly schema_strict?: boolean
  readonly verbosity?: string
  readonly prompt_cache_key?: string
  readonly user?: string
  /** A tier of service that only OpenAI has. */
  readonly service_tier?: string
  readonly metadata?: Readonly<Record<string, string>>
  /** Whether and how the model's thinking is to be summed up for the client. */
  readonly reasoning_summary?: string
  /** The names of tools that run on a server and that the client can do without. */
  readonly optional_tools?: readonly string[]
}

/** One turn: of the user, of the assistant, or a system message in the middle of a conversation. */
export type HubMessage = BetaMessageParam

/** Any content block that a turn may hold. */
export type HubBlock = BetaContentBlockParam

/** A plain text block. */
export type HubTextBlock = BetaTextBlockParam

/** A call of a tool in an assistant turn. */
export type HubToolUse = BetaToolUseBlockParam

/** The result of a call in a user turn. */
export type HubToolResult = BetaToolResultBlockParam

/** What a tool result may hold. */
export type HubResultContent = Exclude<HubToolResult['content'], string | undefined>[number]

/** A tool definition: the client's own, one with a built-in schema, or one that the server runs. */
export type HubTool = BetaToolUnion

/** A tool that the client defines itself, with the schema of its input. */
export type HubClientTool = Extract<HubTool, { input_schema: unknown }>

/** The content of a turn as blocks; a plain string is one text block, a missing content none. */
export function blocksOf(message: HubMessage): readonly HubBlock[] {
  const { content } = message
  if (content === undefined || content === '') return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
