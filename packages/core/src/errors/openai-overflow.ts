import type { HubError } from '../hub/error.ts'

/** By this code clients of OpenAI's know that they must shorten the conversation. */
export const OVERFLOW_CODE = 'context_length_exceeded'

/** What an error says in OpenAI's words: of a context overflow those that agents look for, else its own message. */
export function openAiWords({ message, overflow = {} }: HubError): string {
  const { tokens, limit, output = 0 } = overflow
  if (tokens === undefined || limit === undefined) return message
  const begin = `This model's maximum context length is ${limit} tokens. However,`
  if (tokens > limit)
    return `${begin} your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  if (tokens + output <= limit) return message
  return `${begin} you requested ${tokens + output} tokens (${tokens} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`
}
