import type { Chat, Content, FunctionCall, Part } from '@google/genai'
import { expect } from '../../expectations.ts'
import { UPSTREAM_KEY } from '../../keys.ts'
import { mentions, rounds } from '../../upstream/conversation.ts'
import type { StrictUpstream } from '../../upstream/strict-upstream.ts'
import type { TapeSession } from '../session.ts'

const TOOLS = [
  {
    functionDeclarations: [
      {
        name: 'weather',
        description: 'The weather of a city.',
        parametersJsonSchema: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
    ],
  },
]

const thinking: TapeSession = {
  name: 'genai-thinking',
  isScript: true,
  shows:
    'A client of Gemini on a provider that wants its own thoughts back: they are packed into the signature of the call, the chat of the SDK keeps it piece by piece, and they go back once, with the result of the call and later.',
  proxy: () => ({
    flags: ['--provider', 'deepseek', '--model', 'deepseek-reasoner'],
    env: { DEEPSEEK_API_KEY: UPSTREAM_KEY },
  }),
  rules: () => [],
  async play({ upstream, genai }) {
    upstream.play(({ body }) => {
      if (mentions(body, 'user', 'gloves')) return { text: 'No gloves.' }
      if (rounds(body) > 0) return { reasoning: 'Four is cold.', text: 'Take a coat.' }
      return {
        reasoning: 'I need the weather first.',
        calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
      }
    })
    const chat = genai.chats.create({
      model: 'gemini-3.5-pro',
      config: { tools: TOOLS, thinkingConfig: { includeThoughts: true } },
    })
    await say(chat, 'Do I need a coat in Oslo?')
    const called = lastParts(chat)
    const { id = '', name = '' } = callIn(called) ?? {}
    expect(
      called.some(({ thought }) => thought === true),
      `expected a thought, got ${JSON.stringify(called)}`,
    )
    await say(chat, [{ functionResponse: { id, name, response: { output: '4 degrees' } } }])
    expectThought(upstream, 'I need the weather first.')
    expectWords(chat, 'Take a coat.')
    await say(chat, 'And gloves?')
    expectWords(chat, 'No gloves.')
  },
}

/** The thought must be in the last request, once. */
function expectThought({ received }: StrictUpstream, thought: string): void {
  const pieces = received.at(-1)?.request.text.split(thought) ?? []
  expect(pieces.length === 2, `expected the thought once, got it ${pieces.length - 1} times`)
}

/** Says something, and reads the answer to its end: only then the chat keeps it. */
async function say(chat: Chat, message: string | Part[]): Promise<void> {
  for await (const chunk of await chat.sendMessageStream({ message })) void chunk
}

/** What the model has said last, as the SDK will send it back. */
function lastParts(chat: Chat): readonly Part[] {
  const history: readonly Content[] = chat.getHistory()
  const before = history.findLastIndex(({ role }) => role === 'user')
  return history.slice(before + 1).flatMap(({ parts = [] }) => parts)
}

function callIn(parts: readonly Part[]): FunctionCall | undefined {
  return parts.find(({ functionCall }) => functionCall !== undefined)?.functionCall
}

function expectWords(chat: Chat, words: string): void {
  const parts = lastParts(chat)
  const said = parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('')
  expect(said === words, `expected '${words}', got ${JSON.stringify(parts)}`)
}

/** Sessions of Google's SDK. */
export const genai: readonly TapeSession[] = [thinking]
