import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { inputFrom } from './input-from.ts'

/** What a client's own SDK makes of a stream. */
export interface SdkAnswer {
  readonly text: string
  /** Id, name and input. */
  readonly calls: readonly (readonly [id: string, name: string, input: unknown])[]
}

/** Reads a stream, or throws as the SDK does. */
type SdkReader = (output: string) => Promise<SdkAnswer>

const MODEL = 'test-model'
const MESSAGES = [{ role: 'user' as const, content: 'Hello.' }]

/** The bytes as a server would send them. */
function responder(output: string): () => Promise<Response> {
  return () => Promise.resolve(new Response(output, { headers: { 'content-type': 'text/event-stream' } }))
}

async function anthropic(output: string): Promise<SdkAnswer> {
  const client = new Anthropic({ apiKey: 'none', maxRetries: 0, fetch: responder(output) })
  const stream = client.messages.stream({ model: MODEL, max_tokens: 1024, messages: MESSAGES })
  const { content } = await stream.finalMessage()
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [[block.id, block.name, block.input] as const] : [],
    ),
  }
}

function openai(output: string): OpenAI {
  return new OpenAI({ apiKey: 'none', maxRetries: 0, fetch: responder(output) })
}

async function openaiChat(output: string): Promise<SdkAnswer> {
  const stream = openai(output).chat.completions.stream({ model: MODEL, messages: MESSAGES })
  const { choices } = await stream.finalChatCompletion()
  const message = choices[0]?.message
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).map((call) =>
      call.type === 'custom'
        ? [call.id, call.custom.name, call.custom.input]
        : [call.id, call.function.name, inputFrom(call.function.arguments)],
    ),
  }
}

async function openaiResponses(output: string): Promise<SdkAnswer> {
  const stream = openai(output).responses.stream({ model: MODEL, input: 'Hello.' })
  const { output_text: text, output: items } = await stream.finalResponse()
  return {
    text,
    calls: items.flatMap((item) =>
      item.type === 'function_call' ? [[item.call_id, item.name, inputFrom(item.arguments)] as const] : [],
    ),
  }
}

async function gemini(output: string): Promise<SdkAnswer> {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: responder(output) } })
  const chat = client.chats.create({ model: MODEL })
  for await (const { candidates } of await chat.sendMessageStream({ message: 'Hello.' }))
    if (candidates === undefined) throw new Error('a chunk without candidates')
  const parts = chat
    .getHistory()
    .filter(({ role }) => role === 'model')
    .flatMap(({ parts: own = [] }) => own)
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [[call.id ?? '', call.name ?? '', call.args] as const],
    ),
  }
}

const SDKS: Readonly<Record<string, SdkReader>> = {
  anthropic,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  gemini,
}

/** The official SDK of a registered client dialect. */
export function sdkOf(name: string): SdkReader {
  const sdk = SDKS[name]
  if (sdk !== undefined) return sdk
  throw new Error(`${name} is registered for clients, but its SDK is not in test/pairs/sdk-readers.ts`)
}
