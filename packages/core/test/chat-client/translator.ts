import type { DialectName } from '../../src/dialects/registry.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { plainReply } from '../../src/dialects/plain-reply.ts'
import { registry } from '../../src/dialects/registry.ts'
import { type Translation, translateAnswer } from '../../src/exchange/translation.ts'
import type { ReplyContext } from '../../src/dialects/dialect.ts'
import { replyTo } from './told.ts'

/** What an answer is translated with. */
export interface ChatClientSetup {
  readonly upstream: DialectName
  readonly reply?: ReplyContext
  /** What the client's request says besides. */
  readonly asked?: object
}

/** A translation of an upstream's answer for a Chat client. */
export function chatClientTranslation({ upstream, reply, asked }: ChatClientSetup): Translation {
  return translateAnswer({
    upstream: registry.upstream(upstream),
    client: openaiChat.client,
    clientReply: replyTo(asked),
    reply: reply ?? plainReply('gpt-test', openaiChat.upstream.defaultProfile),
    messageId: 'chatcmpl-1',
    inputEstimate: 40,
  })
}

/** Everything that a client is told, given these pieces of a body and its end. */
export function told(translation: Translation, ...pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  let output = ''
  for (const piece of pieces) {
    const raw = translation.pushRaw(piece)
    output += typeof raw === 'string' ? raw : decoder.decode(raw)
  }
  return output + translation.end()
}
