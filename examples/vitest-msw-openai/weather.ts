import OpenAI from 'openai'
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'

const TOOLS: ChatCompletionFunctionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

/** Answers a question about the weather with a model that may look it up. */
export async function askAboutWeather(question: string, lookUp: (city: string) => string): Promise<string> {
  const client = new OpenAI({ apiKey: process.env['OPENAI_API_KEY'] ?? 'not-needed' })
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each turn continues the one before
    const answer = await client.chat.completions
      .stream({ model: 'scripted', messages, tools: TOOLS })
      .finalMessage()
    const calls = answer.tool_calls?.filter((call) => call.type === 'function') ?? []
    if (calls.length === 0) return answer.content ?? ''
    messages.push({ role: 'assistant', content: answer.content, tool_calls: calls })
    for (const call of calls) {
      messages.push({ role: 'tool', tool_call_id: call.id, content: lookUp(cityOf(call)) })
    }
  }
}

function cityOf({ function: { arguments: json } }: ChatCompletionMessageFunctionToolCall): string {
  return (JSON.parse(json) as { city: string }).city
}
