import type Anthropic from '@anthropic-ai/sdk'

const TOOLS: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** What the example is about: a small agent with one tool, written for the official SDK and for nothing else. */
export async function askAboutWeather(
  client: Anthropic,
  question: string,
  lookUp: (city: string) => string,
): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each turn continues the one before
    const answer = await client.messages
      .stream({ model: 'claude-opus-5-5', max_tokens: 1024, tools: TOOLS, messages })
      .finalMessage()
    if (answer.stop_reason !== 'tool_use') return textOf(answer)
    messages.push({ role: 'assistant', content: answer.content })
    messages.push({ role: 'user', content: resultsOf(answer, lookUp) })
  }
}

function resultsOf(
  answer: Anthropic.Message,
  lookUp: (city: string) => string,
): Anthropic.ToolResultBlockParam[] {
  return answer.content
    .filter((block) => block.type === 'tool_use')
    .map(({ id, input }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: lookUp((input as { city: string }).city),
    }))
}

function textOf(answer: Anthropic.Message): string {
  return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
