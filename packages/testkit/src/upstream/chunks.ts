import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'

/** The end of every stream of chunks. */
export const DONE = '[DONE]'

/** The usage that a scripted answer reports unless its script says otherwise. */
export const USAGE: CompletionUsage = {
  prompt_tokens: 1200,
  completion_tokens: 34,
  total_tokens: 1234,
  prompt_tokens_details: { cached_tokens: 1000 },
  completion_tokens_details: { reasoning_tokens: 10 },
}

type Delta = ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: string }
type FinishReason = ChatCompletionChunk.Choice['finish_reason']

const HEAD = {
  id: 'chatcmpl-scripted',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
} as const

/** A chunk with any delta. */
export function chunk(delta: Delta, finish: FinishReason = null): ChatCompletionChunk {
  return { ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] }
}

/** A chunk of text. */
export function textChunk(content: string): ChatCompletionChunk {
  return chunk({ content })
}

/** The first chunk of a tool call. */
export function callChunk(index: number, id: string, name: string): ChatCompletionChunk {
  return chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
}

/** A further chunk of a tool call. */
export function argumentsChunk(index: number, piece: string): ChatCompletionChunk {
  return chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
}

/** The chunk that says why the answer is over. */
export function finishChunk(reason: NonNullable<FinishReason> = 'stop'): ChatCompletionChunk {
  return chunk({}, reason)
}

/** The chunk with the usage. */
export function usageChunk(usage: CompletionUsage = USAGE): ChatCompletionChunk {
  return { ...HEAD, choices: [], usage }
}
