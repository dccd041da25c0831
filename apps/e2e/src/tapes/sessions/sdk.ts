import { setTimeout as sleep } from 'node:timers/promises'
import type Anthropic from '@anthropic-ai/sdk'
import type { MessageParam, Tool, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages'
import { event, hang, head, play, textChunk } from '@hydra/testkit'
import { expect } from '../../expectations.ts'
import { UPSTREAM_KEY } from '../../keys.ts'
import { PNG } from '../../png.ts'
import { imagesOf, rounds } from '../../upstream/conversation.ts'
import type { TapeSession } from '../session.ts'

/** The model that the client asks for. */
export const CLAUDE = 'claude-sonnet-5'

const oneBody: TapeSession = {
  name: 'sdk-one-body',
  isScript: true,
  shows:
    'A client that does not ask for a stream: a system prompt, a stop sequence, and an answer in one body.',
  async play({ upstream, sdk }) {
    upstream.play(() => ({ text: 'Paris.' }))
    const message = await sdk.messages.create({
      model: CLAUDE,
      max_tokens: 100,
      system: 'Answer in one word.',
      stop_sequences: ['END'],
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
    })
    expect(textOf(message) === 'Paris.', `got ${JSON.stringify(message.content)}`)
  },
}

const WEATHER: Tool = {
  name: 'weather',
  description: 'The weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const toolLoop: TapeSession = {
  name: 'sdk-tool-loop',
  isScript: true,
  shows:
    'A streamed loop: two calls at once, one result and one error in the next request, and an answer to both.',
  async play({ upstream, sdk }) {
    upstream.play(({ body }) => {
      if (rounds(body) > 0) return { text: 'Oslo has 4 degrees; Atlantis is not on the map.' }
      const calls = ['Oslo', 'Atlantis'].map((city) => ({ name: 'weather', arguments: { city } }))
      return { text: 'I will ask for both.', calls }
    })
    const first: MessageParam = { role: 'user', content: 'What is the weather in Oslo and Atlantis?' }
    const ask = (messages: MessageParam[]): Promise<Anthropic.Message> =>
      sdk.messages.stream({ model: CLAUDE, max_tokens: 500, tools: [WEATHER], messages }).finalMessage()
    const called = await ask([first])
    const results = called.content.flatMap((block): ToolResultBlockParam[] => {
      if (block.type !== 'tool_use') return []
      const { city } = block.input as { city: string }
      const isError = city === 'Atlantis'
      const content = isError ? 'There is no such city.' : '4 degrees'
      return [{ type: 'tool_result', tool_use_id: block.id, content, is_error: isError }]
    })
    expect(results.length === 2, `expected two calls, got ${results.length}`)
    const answered = await ask([
      first,
      { role: 'assistant', content: called.content },
      { role: 'user', content: results },
    ])
    expect(textOf(answered).startsWith('Oslo has 4 degrees'), `got ${JSON.stringify(answered.content)}`)
  },
}

const thinking: TapeSession = {
  name: 'sdk-thinking',
  isScript: true,
  shows:
    'Thinking through a provider that wants its own thoughts back: they come as thinking blocks, and go back to it within the loop of a tool.',
  proxy: () => ({
    flags: ['--provider', 'deepseek', '--model', 'deepseek-reasoner'],
    env: { DEEPSEEK_API_KEY: UPSTREAM_KEY },
  }),
  rules: () => [],
  async play({ upstream, sdk }) {
    upstream.play(({ body }) => {
      if (rounds(body) > 0) return { reasoning: 'Four is cold.', text: 'Take a coat.' }
      return {
        reasoning: 'I need the weather first.',
        calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
      }
    })
    const first: MessageParam = { role: 'user', content: 'Do I need a coat in Oslo?' }
    const ask = (messages: MessageParam[]): Promise<Anthropic.Message> =>
      sdk.messages
        .stream({
          model: CLAUDE,
          max_tokens: 4000,
          thinking: { type: 'enabled', budget_tokens: 2000 },
          tools: [WEATHER],
          messages,
        })
        .finalMessage()
    const called = await ask([first])
    const call = called.content.find((block) => block.type === 'tool_use')
    expect(
      called.content[0]?.type === 'thinking',
      `expected a thought, got ${JSON.stringify(called.content)}`,
    )
    const result = { type: 'tool_result', tool_use_id: call?.id ?? '', content: '4 degrees' } as const
    const answered = await ask([
      first,
      { role: 'assistant', content: called.content },
      { role: 'user', content: [result] },
    ])
    expect(textOf(answered) === 'Take a coat.', `got ${JSON.stringify(answered.content)}`)
  },
}

const image: TapeSession = {
  name: 'sdk-image',
  isScript: true,
  shows: 'Two images in a question, one in base64 and one by its address.',
  async play({ upstream, sdk }) {
    upstream.play(({ body }) => ({ text: `I see ${imagesOf(body).length} images.` }))
    const message = await sdk.messages
      .stream({
        model: CLAUDE,
        max_tokens: 100,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Compare these.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              { type: 'image', source: { type: 'url', url: 'https://example.com/dot.png' } },
            ],
          },
        ],
      })
      .finalMessage()
    expect(textOf(message) === 'I see 2 images.', `got ${JSON.stringify(message.content)}`)
  },
}

const abort: TapeSession = {
  name: 'sdk-client-abort',
  isScript: true,
  shows:
    'The client leaves after the first words, while the upstream is still silent. The proxy gives the upstream up; the exchange is an aborted one.',
  async play({ upstream, sdk }) {
    upstream.play(() => play(head(), event(textChunk('It was a dark and ')), hang()))
    const stream = sdk.messages.stream({
      model: CLAUDE,
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Tell me a long story.' }],
    })
    stream.on('text', () => stream.abort())
    const ended = await stream.finalMessage().then(
      () => 'answered',
      () => 'aborted',
    )
    expect(ended === 'aborted', 'expected the stream to be aborted')
    // The proxy needs a moment to see that nobody is there any more.
    await sleep(300)
  },
}

const length: TapeSession = {
  name: 'sdk-cut-by-length',
  isScript: true,
  shows:
    'The model runs out of tokens in the middle of the arguments of a call. The stop reason says so, and the client can see that the call is not complete.',
  async play({ upstream, sdk }) {
    upstream.play(() => ({
      text: 'I will ask.',
      calls: [{ name: 'weather', arguments: '{"city":"Llanfairpwllgwyn' }],
      finish: 'length',
    }))
    const message = await sdk.messages
      .stream({
        model: CLAUDE,
        max_tokens: 20,
        tools: [WEATHER],
        messages: [{ role: 'user', content: 'What is the weather in the village with the long name?' }],
      })
      .finalMessage()
    expect(message.stop_reason === 'max_tokens', `got ${message.stop_reason}`)
  },
}

function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** Sessions of the official SDK. */
export const sdk: readonly TapeSession[] = [oneBody, toolLoop, thinking, image, abort, length]
