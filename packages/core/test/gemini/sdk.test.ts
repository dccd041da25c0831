import { type Content, GoogleGenAI, type Part } from '@google/genai'
import { expect, test } from 'vitest'
import { decodeMessages } from '../../src/dialects/gemini/decode-messages.ts'
import { Notes } from '../../src/hub/note.ts'
import { blocksOf, type HubBlock } from '../../src/hub/request.ts'
import { streamFixtures } from '../streams/fixtures.ts'
import { replyFor } from '../streams/translator.ts'
import { toldBy } from '../pairs/pair.ts'
import { geminiFixtures, geminiReply } from './translator.ts'
import { geminiTranslation, MODEL } from './told.ts'

const CHAT = streamFixtures().map(({ name, bytes, setup }) => ({
  name,
  bytes,
  upstream: 'openai-chat',
  reply: () => ({ ...replyFor(setup), model: MODEL }),
}))
const GEMINI = geminiFixtures().map(({ name, bytes, setup }) => ({
  name: `gemini ${name}`,
  bytes,
  upstream: 'gemini',
  reply: () => ({ ...geminiReply(setup), model: MODEL, takesClosingProof: true }),
}))

const fixtures = [...CHAT, ...GEMINI].map(({ name, bytes, upstream, reply }) => {
  const stream = geminiTranslation(upstream, { reply: reply() })
  const output = toldBy(stream, [bytes])
  const asked = { method: 'generateContent' } as const
  const whole = toldBy(geminiTranslation(upstream, { reply: reply(), asked }), [bytes])
  return { name, output, whole, failure: stream.failure }
})
const good = fixtures.filter(({ failure }) => failure === undefined)
const bad = fixtures.filter(({ failure }) => failure !== undefined)

function sdkOf(output: string, contentType: string): GoogleGenAI {
  const respond = (): Promise<Response> =>
    Promise.resolve(new Response(output, { headers: { 'content-type': contentType } }))
  return new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: respond } })
}

/** The model's turn as the SDK's chat keeps it, and what its last chunk says. */
async function chatOf(output: string): Promise<{ history: Content[]; finish: unknown; usage: unknown }> {
  const chat = sdkOf(output, 'text/event-stream').chats.create({ model: MODEL })
  let finish: unknown
  let usage: unknown
  for await (const chunk of await chat.sendMessageStream({ message: 'Hello.' })) {
    finish = chunk.candidates?.[0]?.finishReason ?? finish
    usage = chunk.usageMetadata ?? usage
  }
  return { history: chat.getHistory(), finish, usage }
}

test('there are fixtures of both kinds', () => {
  expect(Math.min(good.length, bad.length)).toBeGreaterThan(20)
})

test.for(good)('the SDK reads $name as the answer that is sent whole', async ({ output, whole }) => {
  const answer = await sdkOf(whole, 'application/json').models.generateContent({
    model: MODEL,
    contents: 'Hello.',
  })
  const { history, finish, usage } = await chatOf(output)
  const turn = history.filter(({ role }) => role === 'model').flatMap(({ parts = [] }) => parts)
  expect(meaningOf(turn)).toEqual(meaningOf(answer.candidates?.[0]?.content?.parts ?? []))
  expect(finish).toBe(answer.candidates?.[0]?.finishReason)
  expect(usage).toEqual(answer.usageMetadata)
})

test.for(good)('$name comes back from a chat of the SDK as from an answer in one body', async (fixture) => {
  const { history } = await chatOf(fixture.output)
  const answer = await sdkOf(fixture.whole, 'application/json').models.generateContent({
    model: MODEL,
    contents: 'Hello.',
  })
  expect(turnsOf(history)).toEqual(turnsOf([...history.slice(0, 1), answer.candidates?.[0]?.content ?? {}]))
})

test.for(bad)('the SDK throws at $name and says why', async ({ output, failure }) => {
  // An overflow is told in Google's own words.
  const words = failure?.overflow?.limit === undefined ? failure?.message : String(failure.overflow.limit)
  await expect(chatOf(output)).rejects.toThrow(JSON.stringify(words ?? '').slice(1, -1))
})

function meaningOf(parts: readonly Part[]): object {
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    thoughts: parts.map(({ text, thought }) => (thought ? (text ?? '') : '')).join(''),
    calls: parts.flatMap(({ functionCall }) => functionCall ?? []),
    signatures: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
  }
}

/** The turns that are read out of a history; texts that follow one another are one. */
function turnsOf(history: readonly Content[]): unknown {
  return decodeMessages(history, new Notes()).map((message) => {
    const blocks: HubBlock[] = []
    for (const block of blocksOf(message)) {
      const last = blocks.at(-1)
      if (block.type === 'text' && last?.type === 'text') last.text += block.text
      else blocks.push(block)
    }
    return { role: message.role, blocks }
  })
}
