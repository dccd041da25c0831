import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai'
import { anthropic, type DialectName, gemini, openaiChat, openaiResponses } from '@hydra/core'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'

/** Has a conversation with one call of a tool, streamed, then asks once more for a whole answer; gives both answers. */
export type SdkSession = (url: string) => Promise<readonly [streamed: string, whole: string]>

const QUESTION = 'How is the weather in Paris?'
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Official SDKs, by the dialect that they speak. */
export const SDK_SESSIONS: ReadonlyMap<DialectName, SdkSession> = new Map<DialectName, SdkSession>([
  [anthropic.name, messagesSession],
  [openaiChat.name, chatSession],
  [openaiResponses.name, responsesSession],
  [gemini.name, geminiSession],
])

async function messagesSession(url: string): Promise<readonly [string, string]> {
  const sdk = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
  const tools = [{ name: 'weather', input_schema: { ...SCHEMA, type: 'object' as const } }]
  const asked = { model: 'claude-x', max_tokens: 100, tools }
  const question = { role: 'user' as const, content: QUESTION }
  const first = await sdk.messages.stream({ ...asked, messages: [question] }).finalMessage()
  const call = first.content.find((block) => block.type === 'tool_use')
  const messages = [
    question,
    { role: 'assistant' as const, content: first.content },
    {
      role: 'user' as const,
      content: [{ type: 'tool_result' as const, tool_use_id: call?.id ?? '', content: 'sun, 21' }],
    },
  ]
  const streamed = await sdk.messages.stream({ ...asked, messages }).finalText()
  const whole = await sdk.messages.create({ ...asked, messages })
  return [streamed, whole.content.map((block) => (block.type === 'text' ? block.text : '')).join('')]
}

async function chatSession(url: string): Promise<readonly [string, string]> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }]
  const asked = { model: 'gpt-x', tools, stream_options: { include_usage: true } }
  const question: ChatCompletionMessageParam = { role: 'user', content: QUESTION }
  const rules: ChatCompletionMessageParam = { role: 'system', content: 'Be kind.' }
  const first = await sdk.chat.completions.stream({ ...asked, messages: [rules, question] }).finalMessage()
  const call = first.tool_calls?.[0]
  const messages: ChatCompletionMessageParam[] = [
    rules,
    question,
    { role: 'assistant', content: first.content, tool_calls: first.tool_calls ?? [] },
    { role: 'tool', tool_call_id: call?.id ?? '', content: 'sun, 21' },
  ]
  const streamed = await sdk.chat.completions.stream({ ...asked, messages }).finalContent()
  const whole = await sdk.chat.completions.create({ model: 'gpt-x', tools, messages })
  return [streamed ?? '', whole.choices[0]?.message.content ?? '']
}

async function responsesSession(url: string): Promise<readonly [string, string]> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const tools = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: false }]
  const asked = { model: 'gpt-x', tools, instructions: 'Be kind.' }
  const first = await sdk.responses.stream({ ...asked, input: QUESTION }).finalResponse()
  const call = first.output.find((item) => item.type === 'function_call')
  const result = {
    type: 'function_call_output' as const,
    call_id: call?.call_id ?? '',
    output: 'sun, 21',
  }
  // It refers back to what was answered before, which nothing but a memory knows.
  const next = { ...asked, previous_response_id: first.id, input: [result] }
  const streamed = await sdk.responses.stream(next).finalResponse()
  const whole = await sdk.responses.create(next)
  return [streamed.output_text, whole.output_text]
}

async function geminiSession(url: string): Promise<readonly [string, string]> {
  const sdk = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })
  const functions = [{ name: 'weather', parametersJsonSchema: SCHEMA }]
  const asked = { model: 'gemini-x', config: { tools: [{ functionDeclarations: functions }] } }
  const question = { role: 'user', parts: [{ text: QUESTION }] }
  const first = await partsOf(sdk.models.generateContentStream({ ...asked, contents: [question] }))
  const calls = first.filter((part) => part.functionCall !== undefined)
  const { id = '', name = '' } = calls[0]?.functionCall ?? {}
  const contents = [
    question,
    // Texts that follow one another are one, as in what Google's own agent sends back.
    { role: 'model', parts: [{ text: textOf(first) }, ...calls] },
    { role: 'user', parts: [{ functionResponse: { id, name, response: { output: 'sun, 21' } } }] },
  ]
  const streamed = await partsOf(sdk.models.generateContentStream({ ...asked, contents }))
  const whole = await sdk.models.generateContent({ ...asked, contents })
  return [textOf(streamed), whole.text ?? '']
}

async function partsOf(stream: Promise<AsyncIterable<GenerateContentResponse>>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const { candidates } of await stream) parts.push(...(candidates?.[0]?.content?.parts ?? []))
  return parts
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text = '' }) => text).join('')
}
