import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { closing } from './closing.ts'
import { startHydra } from './hydra.ts'

const opened = closing()
let client: OpenAI
let url = ''

beforeAll(async () => {
  ;({ url } = await opened(startHydra()))
  client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
})

const PROMPT = '<environment_context><shell>bash</shell></environment_context>\n\nList the files'
const PARAMETERS = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] }

test('a script on OpenAI’s SDK does a tool loop by Chat Completions', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: PROMPT }]
  const tool = { name: 'exec_command', parameters: PARAMETERS }
  const request = { model: 'any', messages, tools: [{ type: 'function' as const, function: tool }] }
  const stream = client.chat.completions.stream(request)
  const [choice] = (await stream.finalChatCompletion()).choices
  expect(choice?.finish_reason).toBe('tool_calls')
  const call = choice?.message.tool_calls?.[0]
  expect(call).toMatchObject({ function: { name: 'exec_command', arguments: '{"cmd":"ls"}' } })
  if (choice === undefined || call === undefined) return
  messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: 'dragon.txt' })
  const last = await client.chat.completions.create(request)
  expect(last.choices[0]).toMatchObject({ finish_reason: 'stop' })
  expect(last.choices[0]?.message.content).toContain('dragon.txt')
})

test('a script on OpenAI’s SDK does a tool loop by Responses, and refers back to what was said', async () => {
  const tool = { type: 'function' as const, name: 'exec_command', parameters: PARAMETERS, strict: false }
  const request = { model: 'any', tools: [tool] }
  const first = await client.responses.stream({ ...request, input: PROMPT }).finalResponse()
  const call = first.output.find((item) => item.type === 'function_call')
  expect(call).toMatchObject({ name: 'exec_command', arguments: '{"cmd":"ls"}', status: 'completed' })
  const last = await client.responses.create({
    ...request,
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'dragon.txt' }],
  })
  expect(last.output_text).toContain('dragon.txt')
})

interface Part {
  readonly text?: string
  readonly functionCall?: object
}

test('a client of Gemini does a tool loop', async () => {
  const contents: object[] = [{ role: 'user', parts: [{ text: PROMPT }] }]
  const tools = [{ functionDeclarations: [{ name: 'exec_command', parametersJsonSchema: PARAMETERS }] }]
  const ask = async (): Promise<readonly Part[]> => {
    const response = await fetch(`${url}/v1beta/models/any:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'any' },
      body: JSON.stringify({ contents, tools }),
    })
    const answer = (await response.json()) as { candidates: [{ content: { parts: Part[] } }] }
    return answer.candidates[0].content.parts
  }
  const parts = await ask()
  const call = parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall
  expect(call).toMatchObject({ name: 'exec_command', args: { cmd: 'ls' } })
  const response = { name: 'exec_command', response: { output: 'dragon.txt' } }
  contents.push({ role: 'model', parts }, { role: 'user', parts: [{ functionResponse: response }] })
  expect((await ask())[0]?.text).toContain('dragon.txt')
})

test('it is listed, in the form of whoever asks', async () => {
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['demo'])
})
