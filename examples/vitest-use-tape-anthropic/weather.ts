import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ apiKey: process.env['ANTHROPIC_API_KEY'] ?? 'not-needed' })

const TOOLS: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** Answers a question about the weather with a model that may look it up. */
export async function askAboutWeather(question: string, lookUp: (city: string) => string): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each turn continues the one before
    const answer = await client.messages
      .stream({ model: 'claude-opus-5-5', max_tokens: 1024, tools: TOOLS, messages })
      .finalMessage()
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0)
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    messages.push({ role: 'assistant', content: answer.content })
    messages.push({
      role: 'user',
      content: calls.map(({ id, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: lookUp((input as { city: string }).city),
      })),
    })
  }
}
