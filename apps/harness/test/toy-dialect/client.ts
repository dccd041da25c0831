import {
  type BlockHead,
  type ClientDialect,
  type ClientReply,
  type HubError,
  type HubMessage,
  type HubRequest,
  type HubStop,
  type HubUsage,
  invalidRequest,
  isJsonObject,
  type MessageHead,
  type StreamEncoder,
} from '@hydra/core'
import type { ToyPiece, ToyTurn } from './wire.ts'

const STREAM = { contentType: 'text/event-stream', keepAlive: ': still here\n\n' }

/** The side on which somebody speaks the toy protocol to us. */
export const client: ClientDialect = {
  endpoints: [{ method: 'POST', path: '/v7/toys/{engine}/talk', purpose: 'generate' }],
  newId: {
    message: (unique) => `toy-${unique}`,
    call: (unique) => `deed-${unique}`,
    request: (unique) => `ask-${unique}`,
  },
  callIds: { maxLength: 64, pattern: /^[\w-]+$/ },
  recognises: ({ path }) => path.startsWith('/v7/toys/'),
  decodeRequest({ body, params }) {
    if (!isJsonObject(body) || !Array.isArray(body['said'])) throw invalidRequest('said', 'expected a list')
    const said = body['said'] as readonly ToyTurn[]
    const rules = said.flatMap(({ by, words = '' }) => (by === 'rules' ? [words] : []))
    const flows = body['flow'] === true
    const request: HubRequest = {
      model: params['engine'] ?? '',
      messages: said.flatMap(messageOf),
      ...(rules.length > 0 && { system: rules.join('\n') }),
      ...(flows && { stream: true }),
    }
    const reply: ClientReply = flows ? { stream: STREAM } : {}
    return { request, reply, notes: [] }
  },
  encodeResponse({ id, content, stop_reason: reason, usage }) {
    const pieces = content.flatMap((block): ToyPiece[] => {
      if (block.type === 'text') return [{ words: block.text }]
      if (block.type !== 'tool_use') return []
      return [{ deed: { mark: block.id, what: block.name, how: JSON.stringify(block.input) } }]
    })
    return { id, pieces: [...pieces, byeOf(reason, usage)] }
  },
  encodeStream: () => new ToyEncoder(),
  encodeError: (error) => ({
    status: error.status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oops: error.message }),
  }),
  answerHeaders: (requestId) => ({ 'x-toy-ask': requestId }),
  routedParts: ({ params }) => ({ model: params['engine'] ?? '', messages: [] }),
}

function messageOf({ by, words = '', deed, of = '' }: ToyTurn): HubMessage[] {
  if (by === 'rules') return []
  if (by === 'person') return [{ role: 'user', content: words }]
  if (by === 'deed') {
    return [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: of, content: words }] }]
  }
  if (deed === undefined) return [{ role: 'assistant', content: words }]
  const input: unknown = JSON.parse(deed.how)
  return [{ role: 'assistant', content: [{ type: 'tool_use', id: deed.mark, name: deed.what, input }] }]
}

function byeOf(reason: HubStop['stop_reason'], usage: HubUsage): ToyPiece {
  const bye = reason === 'tool_use' ? 'deeds' : reason === 'max_tokens' ? 'full' : 'said'
  return { bye, heard: usage.input_tokens ?? 0, spoken: usage.output_tokens ?? 0 }
}

class ToyEncoder implements StreamEncoder {
  #out = ''
  #deed: { mark: string; what: string; how: string } | undefined

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  messageStart({ id }: MessageHead): void {
    this.#piece({ hello: id })
  }

  blockStart(block: BlockHead): void {
    if (block.type === 'tool_use') this.#deed = { mark: block.id, what: block.name, how: '' }
  }

  text(words: string): void {
    this.#piece({ words })
  }

  inputJson(delta: string): void {
    if (this.#deed !== undefined) this.#deed.how += delta
  }

  blockStop(): void {
    if (this.#deed !== undefined) this.#piece({ deed: this.#deed })
    this.#deed = undefined
  }

  messageStop({ stop_reason: reason }: HubStop, usage: HubUsage): void {
    this.#piece(byeOf(reason, usage))
  }

  error({ message }: HubError): void {
    this.#piece({ oops: message })
  }

  thinking(): void {
    // The toy protocol has no thoughts.
  }

  signature(): void {
    // And no proofs of them.
  }

  extra(): void {
    // Nor anything else.
  }

  #piece(piece: ToyPiece): void {
    this.#out += `data: ${JSON.stringify(piece)}\n\n`
  }
}
