import type { BenchedDialect } from './benched-dialect.ts'
import { eventAnswer } from './server-sent-events.ts'

const META = { modelVersion: 'gemini-2.5-flash', responseId: 'YSewaNSeEt3skdUPj_ruyQ8' }
const PROMPT = 20_000

/** Google's own API: each chunk counts the tokens so far, and its lines end as in MIME. Calls come in one piece. */
export const geminiBenched: BenchedDialect = {
  upstream: {
    contentType: 'text/event-stream',
    text: (pieces) =>
      eventAnswer(
        {
          opening: [chunk('The', 1)],
          chunks: pieces.map((text, number) => chunk(text, number + 2)),
          closing: [chunk('.', pieces.length + 2, { finishReason: 'STOP' })],
          pieceIn: (event) => (event as Chunk).candidates[0].content.parts[0].text,
        },
        (data) => `data: ${data}\r\n\r\n`,
      ),
    whole: (text) => chunk(text, 340, { finishReason: 'STOP' }),
  },
  client: {
    address: (stream) => ({
      path: `/v1beta/models/gemini-2.5-flash:${stream ? 'streamGenerateContent' : 'generateContent'}`,
      params: { model: 'gemini-2.5-flash' },
      query: stream ? { alt: 'sse' } : {},
    }),
    asking: () => ({}),
    textEvent: (text) => ({
      candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }],
      ...META,
    }),
  },
}

interface Chunk {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly [{ readonly text: string }] } },
  ]
}

/** Google writes a blank behind each colon. */
function chunk(text: string, tokens: number, ending: object = {}): string {
  const candidate = { content: { parts: [{ text }], role: 'model' }, ...ending, index: 0 }
  const usageMetadata = {
    promptTokenCount: PROMPT,
    candidatesTokenCount: tokens,
    totalTokenCount: PROMPT + tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: PROMPT }],
  }
  return JSON.stringify({ candidates: [candidate], usageMetadata, ...META }).replaceAll(
    /("\w+"):(?=["[{\d])/g,
    '$1: ',
  )
}
