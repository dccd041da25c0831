import {
  anthropic,
  parseJson,
  plainCall,
  registry,
  relayAnswer,
  type Target,
  type Translation,
  translateAnswer,
  type TranslatorOptions,
} from '@hydra/core'
import type { ClientEntry, Pair } from '../dialects/benched.ts'
import { generatedRequest, type RequestSize } from './requests.ts'

const SMALL: RequestSize = { tools: 1, system: 0, messages: 1, message: 200 }
const MODEL = 'some-model'
const NOW = 1_767_225_600_000

/** A request of about this size in the form of a client, as JSON: that of Claude Code, worded by Hydra itself. */
export function requestBody({ name, benched }: ClientEntry, size: RequestSize, stream = true): string {
  const { request } = anthropic.client.decodeRequest(plainCall(JSON.parse(generatedRequest(size))))
  const dialect = registry.upstream(name)
  const target: Target = { model: MODEL, profile: dialect.defaultProfile, newId: () => 'unique' }
  const {
    stream: _stream,
    stream_options: _options,
    store: _store,
    ...body
  } = dialect.encodeRequest({ ...request, max_tokens: 1024 }, target).body
  return JSON.stringify({ ...body, ...benched.asking(stream) })
}

/** The whole way of a request's body, from the client's bytes to the upstream's. */
export function translateRequest(pair: Pair, body: string): number {
  return JSON.stringify(encoded(pair, body).encoded.body).length
}

/** Makes translations of answers to the same request, as the gateway would: from one dialect to the other. */
export function translations(pair: Pair): () => Translation {
  const options = answerOptions(pair)
  return () => translateAnswer(fresh(options))
}

/** The same for an upstream of the client's own dialect, whose answer passes as it is. */
export function relays(pair: Pair): () => Translation {
  const options = answerOptions(pair)
  return () => relayAnswer(fresh(options))
}

/** Each answer claims ids of calls for itself. */
function fresh(options: TranslatorOptions): TranslatorOptions {
  return { ...options, reply: { ...options.reply, callIds: options.reply.callIds.copy() } }
}

function answerOptions(pair: Pair): TranslatorOptions {
  const { client, upstream } = pair
  const { clientReply, encoded: request } = encoded(pair, requestBody(client, SMALL))
  return {
    upstream: upstream.dialect,
    client: client.dialect,
    clientReply,
    reply: request.reply,
    messageId: client.dialect.newId.message('01AbCdEfGhIjKlMnOpQrStUv'),
  }
}

function encoded({ client, upstream }: Pair, body: string) {
  const call = { ...client.benched.address(true), now: NOW, newId: () => 'unique' }
  const { request, reply } = client.dialect.decodeRequest(plainCall(parseJson(body), call))
  const target: Target = {
    model: MODEL,
    profile: upstream.dialect.defaultProfile,
    client: client.dialect,
    newId: () => 'unique',
  }
  return { clientReply: reply, encoded: upstream.dialect.encodeRequest(request, target) }
}
