import {
  anthropic,
  openaiChat,
  parseJson,
  profiles,
  type ReplyContext,
  type StreamTranslator,
  translateStream,
} from '@hydra/core'

const target = { model: 'gpt-4.1', profile: profiles.openai }

/** The whole way of a request's body, from the client's bytes to the upstream's. */
export function translateBody(body: string): number {
  const { request } = anthropic.client.decodeRequest({ body: parseJson(body) })
  return JSON.stringify(openaiChat.upstream.encodeRequest(request, target).body).length
}

/** A translator for one answer, as the gateway would make it. */
export function newTranslator(): StreamTranslator {
  return translateStream({
    upstream: openaiChat.upstream,
    client: anthropic.client,
    clientReply: {},
    reply: replyContext(),
    messageId: 'msg_01AbCdEfGhIjKlMnOpQrStUv',
  })
}

function replyContext(): ReplyContext {
  const body = {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'go on' }],
    tools: [{ name: 'Write', description: 'Writes a file.', input_schema: { type: 'object' } }],
  }
  const { request } = anthropic.client.decodeRequest({ body })
  return openaiChat.upstream.encodeRequest(request, target).reply
}
