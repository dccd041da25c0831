import { type AgentTool, runAgent, type SendTurn } from '@hydra/agent'
import { stopFor, usageOf } from '@hydra/core'

const weather: AgentTool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  run: ({ city }) => ({ city, celsius: 21 }),
}

// A model of two lines in place of a real one: it calls the tool, then it says what the tool gave.
const send: SendTurn = async ({ messages }, { sink }) => {
  sink.messageStart({ id: 'msg_1', model: 'script', usage: usageOf({}) })
  if (messages.length === 1) {
    sink.blockStart({ type: 'tool_use', id: 'call_1', name: 'weather' })
    sink.inputJson('{"city":"Bern"}')
    sink.messageStop(stopFor('tool_use'), usageOf({ output_tokens: 9 }))
    return
  }
  sink.blockStart({ type: 'text' })
  sink.text('It has 21 degrees.')
  sink.messageStop(stopFor('end_turn'), usageOf({ output_tokens: 6 }))
}

const result = await runAgent({
  model: 'script',
  messages: [{ role: 'user', content: 'How warm is it in Bern?' }],
  tools: [weather],
  send,
})
console.log(result.outcome, result.text, result.usage.output_tokens)
console.log(
  result.conversation
    .toOpenAI()
    .messages.map(({ role }) => role)
    .join(' '),
)
