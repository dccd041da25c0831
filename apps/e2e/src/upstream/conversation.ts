import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'

/** The text of a message, its parts joined. */
export function textOf({ content }: ChatCompletionMessageParam): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('')
}

/** The texts of the tool results at the end of a conversation, in their order. */
export function lastResults({ messages }: ChatCompletionCreateParams): readonly string[] {
  const before = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(before + 1)
    .filter(({ role }) => role === 'tool')
    .map(textOf)
}

/** How many times the model has called tools. */
export function rounds({ messages }: ChatCompletionCreateParams): number {
  return messages.filter((message) => message.role === 'assistant' && message.tool_calls !== undefined).length
}

/** Whether a text occurs in a message of a role. */
export function mentions(
  { messages }: ChatCompletionCreateParams,
  role: ChatCompletionMessageParam['role'],
  text: string,
): boolean {
  return messages.some((message) => message.role === role && textOf(message).includes(text))
}

/** The names of the tools that the model may call. */
export function toolNames({ tools = [] }: ChatCompletionCreateParams): readonly string[] {
  return tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.type))
}

/** A call and its result. */
export interface AnsweredCall {
  readonly name: string
  readonly input: string
  readonly result: string
}

/** Every call of a conversation with the result that carries its id, in the order of the calls. */
export function answeredCalls({ messages }: ChatCompletionCreateParams): readonly AnsweredCall[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, textOf(message)]] : [])),
  )
  return messages.flatMap((message) => {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    return calls.flatMap((call) =>
      call.type === 'function'
        ? { name: call.function.name, input: call.function.arguments, result: results.get(call.id) ?? '' }
        : [],
    )
  })
}

/** The addresses of the images in messages of the user. */
export function imagesOf({ messages }: ChatCompletionCreateParams): readonly string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' && Array.isArray(content)
      ? content.flatMap((part) => (part.type === 'image_url' ? part.image_url.url : []))
      : [],
  )
}
