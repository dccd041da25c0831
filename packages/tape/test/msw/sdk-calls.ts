import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { EVENT_STREAM, type TestCall } from '../tape-by-hand.ts'

/** A call of an official SDK at its usual address, and the recording that answers it. */
export interface SdkCall {
  readonly name: string
  readonly recorded: TestCall
  /** Asks for a streamed answer and gives its text. */
  readonly ask: (question?: string) => Promise<string>
}

const MESSAGES = [{ role: 'user' as const, content: 'Hello' }]
const NEVER_AGAIN = { apiKey: 'any', maxRetries: 0 }

function events(...data: readonly object[]): readonly string[] {
  return data.map((event) => `data: ${JSON.stringify(event)}\n\n`)
}

function typed(...data: readonly { readonly type: string }[]): readonly string[] {
  return data.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

const CHAT = [
  ...events(chunk({ content: 'Hel' }), chunk({ content: 'lo' }), chunk({}, 'stop')),
  'data: [DONE]\n\n',
]

function chunk(delta: object, finish_reason: string | null = null): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  }
}

const USAGE = { input_tokens: 1, output_tokens: 2 }

const ANTHROPIC = typed(
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    },
  } as { type: string },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } } as { type: string },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } } as { type: string },
  { type: 'content_block_stop', index: 0 } as { type: string },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE } as {
    type: string
  },
  { type: 'message_stop' },
)

const DELTA = { item_id: 'i1', output_index: 0, content_index: 0, logprobs: [] }

const RESPONSES = typed(
  { type: 'response.created', response: { id: 'r1', status: 'in_progress', output: [] } } as { type: string },
  { type: 'response.output_text.delta', ...DELTA, delta: 'Hel' } as { type: string },
  { type: 'response.output_text.delta', ...DELTA, delta: 'lo' } as { type: string },
  { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [] } } as { type: string },
)

const GEMINI = events(
  { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hel' }] } }] },
  { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP' }] },
)

function recorded(path: string, body: object, chunks: readonly string[]): TestCall {
  return { path, body, answer: { status: 200, headers: EVENT_STREAM, chunks, gap: 15 } }
}

/** One streamed call of each official SDK. */
export const SDK_CALLS: readonly SdkCall[] = [
  {
    name: 'openai, Chat Completions',
    recorded: recorded('/v1/chat/completions', { model: 'm', messages: MESSAGES, stream: true }, CHAT),
    async ask(question = 'Hello') {
      const sdk = new OpenAI(NEVER_AGAIN)
      const messages = [{ role: 'user' as const, content: question }]
      const stream = await sdk.chat.completions.create({ model: 'm', stream: true, messages })
      let text = ''
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
      return text
    },
  },
  {
    name: 'openai, Responses',
    recorded: recorded('/v1/responses', { model: 'm', input: 'Hello', stream: true }, RESPONSES),
    async ask(question = 'Hello') {
      const stream = await new OpenAI(NEVER_AGAIN).responses.create({
        model: 'm',
        stream: true,
        input: question,
      })
      let text = ''
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
      return text
    },
  },
  {
    name: '@anthropic-ai/sdk',
    recorded: recorded(
      '/v1/messages',
      { model: 'm', max_tokens: 9, messages: MESSAGES, stream: true },
      ANTHROPIC,
    ),
    ask(question = 'Hello') {
      const messages = [{ role: 'user' as const, content: question }]
      return new Anthropic(NEVER_AGAIN).messages.stream({ model: 'm', max_tokens: 9, messages }).finalText()
    },
  },
  {
    name: '@google/genai',
    recorded: recorded(
      '/v1beta/models/m:streamGenerateContent?alt=sse',
      { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      GEMINI,
    ),
    async ask(question = 'Hello') {
      const sdk = new GoogleGenAI({ apiKey: 'any' })
      let text = ''
      for await (const part of await sdk.models.generateContentStream({ model: 'm', contents: question })) {
        text += part.text ?? ''
      }
      return text
    },
  },
]
