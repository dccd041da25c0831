import type { EncodedRequest } from '../../src/dialects/dialect.ts'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import type { ChatMessage, ChatTool } from '../../src/dialects/openai-chat/wire.ts'
import type { Note } from '../../src/hub/note.ts'
import type { ChatProfile } from '../../src/dialects/openai-chat/profile.ts'
import { type ChatProviderName, chatProfiles } from '../../src/providers/chat-profiles.ts'

/** Where a test sends a request: OpenAI's gpt-4o unless it says otherwise. */
export interface TestTarget {
  readonly profile?: ChatProviderName | ChatProfile
  readonly model?: string
}

/** An encoded request with the notes of both steps, and its parts under handy names. */
export interface Encoded extends EncodedRequest {
  readonly notes: readonly Note[]
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ChatTool[] | undefined
}

/** Takes a client's body the whole way: decoded, repaired, encoded for the target. */
export function encode(body: unknown, { profile = 'openai', model = 'gpt-4o' }: TestTarget = {}): Encoded {
  const decoded = anthropic.client.decodeRequest({ body })
  const preset = typeof profile === 'string' ? chatProfiles[profile] : profile
  const encoded = openaiChat.upstream.encodeRequest(decoded.request, { model, profile: preset })
  return {
    ...encoded,
    notes: [...decoded.notes, ...encoded.notes],
    messages: encoded.body['messages'] as ChatMessage[],
    tools: encoded.body['tools'] as ChatTool[] | undefined,
  }
}

/** A request with the required fields and what the test is about. */
export function requestWith(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { model: 'claude-test', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello' }], ...fields }
}

/** The codes and paths of notes, for comparing. */
export function noted({ notes }: { readonly notes: readonly Note[] }): string[] {
  return notes.map(({ code, path }) => `${code} ${path}`)
}
