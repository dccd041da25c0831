import type {
  Response,
  ResponseFunctionCallOutputItem,
  ResponseInputContent,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseUsage,
  Tool,
} from 'openai/resources/responses/responses'

/** A whole answer. */
export type WireResponse = Response

/** One item of a request's `input`. */
export type InputItem = ResponseInputItem

/** One part of a user's or developer's message. */
export type InputPart = ResponseInputContent

/** One part of the output of a call. */
export type OutputPart = ResponseFunctionCallOutputItem

/** One item of an answer's `output`. */
export type OutputItem = ResponseOutputItem

/** Token counts, with those that were read from a cache among the input's. */
export type WireUsage = ResponseUsage

/** A tool that a request offers. */
export type WireTool = Tool

/** What a request is for, in `include`: without it reasoning could not come back on the next turn. */
export const ENCRYPTED_REASONING = 'reasoning.encrypted_content'

/** The same for what a search has found. */
export const SEARCH_SOURCES = 'web_search_call.action.sources'

/** The name of the dialect, which is also whose proofs its envelopes hold. */
export const NAME = 'openai-responses'
