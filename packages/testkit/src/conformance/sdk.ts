import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from '@anthropic-ai/sdk'
import type { MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages'
import { expect, test } from 'vitest'
import { answer, events, refuse, type Turn } from '../upstream/turn.ts'
import { textChunk } from '../upstream/chunks.ts'
import type { Bind } from './bind.ts'
import { stage } from './scene.ts'

const READ: Tool = {
  name: 'read_file',
  description: 'Reads a file',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

function clientOf(url: string): Anthropic {
  return new Anthropic({ apiKey: 'any', baseURL: url, maxRetries: 0 })
}

function requestOf(messages: MessageParam[]): Anthropic.MessageCreateParamsNonStreaming {
  return { model: 'claude-test', max_tokens: 100, messages, tools: [READ] }
}

const HI: MessageParam[] = [{ role: 'user', content: 'Hi' }]

/** The official SDK is content with what it gets. */
export function sdkTests(bind: Bind): void {
  test('the SDK reads a message in one piece', async () => {
    const { url } = await stage(bind, answer({ text: 'Hello' }))
    const { data, request_id: id } = await clientOf(url).messages.create(requestOf(HI)).withResponse()
    expect(data.content).toMatchObject([{ type: 'text', text: 'Hello' }])
    expect(id).toMatch(/^req_/)
  })

  test('the SDK reads a stream', async () => {
    const { url } = await stage(bind, answer({ reasoning: 'Hm', text: 'Hello', finish: 'length' }))
    const stream = clientOf(url).messages.stream(requestOf(HI))
    const texts: string[] = []
    stream.on('text', (text) => texts.push(text))
    const message = await stream.finalMessage()
    expect(texts.join('')).toBe('Hello')
    expect(message).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 34 } })
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'Hello' },
    ])
  })

  test('the SDK lists models and counts tokens', async () => {
    const { url } = await stage(bind, answer({}))
    const { data } = await clientOf(url).models.list()
    expect(data.map(({ id }) => id)).toEqual(['claude-test', 'claude-other'])
    const count = await clientOf(url).messages.countTokens({ model: 'claude-test', messages: HI })
    expect(count.input_tokens).toBeGreaterThan(0)
  })

  for (const stream of [false, true]) {
    test(`the SDK goes through a tool loop ${stream ? 'with streams' : 'with whole messages'}`, async () => {
      const call = { name: 'read_file', arguments: { path: 'läser.txt' }, id: 'call_1' }
      const { url, upstream } = await stage(bind, [
        answer({ text: 'I will look.', calls: [call] }),
        answer({ text: 'It says hello.' }),
      ])
      const { messages } = clientOf(url)
      const ask = (history: MessageParam[]): Promise<Anthropic.Message> =>
        stream ? messages.stream(requestOf(history)).finalMessage() : messages.create(requestOf(history))
      const first = await ask(HI)
      expect(first.stop_reason).toBe('tool_use')
      const use = first.content.find((block) => block.type === 'tool_use')
      expect(use).toMatchObject({ name: 'read_file', input: { path: 'läser.txt' } })
      const result = { type: 'tool_result', tool_use_id: use?.id ?? '', content: 'hello' } as const
      const second = await ask([
        ...HI,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ])
      expect(second.content).toMatchObject([{ type: 'text', text: 'It says hello.' }])
      expect(upstream.seen.map(({ problems }) => problems)).toEqual([[], []])
      expect(upstream.seen[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'hello' })
    })
  }
}

const ERRORS: readonly { readonly name: string; readonly turn: Turn; readonly error: object }[] = [
  { name: '400', turn: refuse(400, { message: 'no' }), error: BadRequestError },
  { name: '401', turn: refuse(401, { message: 'no' }), error: AuthenticationError },
  { name: '403', turn: refuse(403, { message: 'no' }), error: PermissionDeniedError },
  { name: '404', turn: refuse(404, { message: 'no' }), error: NotFoundError },
  { name: '429', turn: refuse(429, { message: 'no' }), error: RateLimitError },
  { name: '500', turn: refuse(500, { message: 'no' }), error: InternalServerError },
  { name: '503', turn: refuse(503, { message: 'no' }), error: InternalServerError },
]

/** The official SDK recognizes every error. */
export function sdkErrorTests(bind: Bind): void {
  for (const { name, turn, error } of ERRORS) {
    test(`the SDK throws its own class for ${name}`, async () => {
      const { url } = await stage(bind, turn)
      const client = clientOf(url)
      await expect(client.messages.create(requestOf(HI))).rejects.toBeInstanceOf(error)
      await expect(client.messages.stream(requestOf(HI)).finalMessage()).rejects.toBeInstanceOf(error)
    })
  }

  test('the SDK throws when a stream breaks', async () => {
    const { url } = await stage(
      bind,
      events(textChunk('Hel'), { error: { message: 'It broke', type: 'server_error' } }),
    )
    const final = clientOf(url).messages.stream(requestOf(HI)).finalMessage()
    await expect(final).rejects.toThrow('It broke')
    await expect(final).rejects.toBeInstanceOf(APIError)
  })
}
