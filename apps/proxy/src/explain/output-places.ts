import { amazonQ, anthropic, openaiChat, type UpstreamDialect } from '@hydra/core'
import type { Via } from '@hydra/tape'
import { leavesOf } from './json-leaves.ts'

/** A place in a translated request. */
export interface Destination {
  readonly path: string
  /** The output message it belongs to, where there are such. */
  readonly message?: number | undefined
  /** The part of that message: `content`, `tool_calls[0]`. */
  readonly part?: string | undefined
}

/** How to read the translated requests of a dialect. */
interface DialectShape {
  readonly upstream: UpstreamDialect
  /** The path of a message and of a part of it; one without a number is the last. */
  readonly part: RegExp
  /** The path of the id that says which call a result belongs to. */
  readonly answered: RegExp
}

const MESSAGES = /^messages\[(?<message>\d+)\](?:\.(?<part>\w+(?:\[\d+\])?))?/

const SHAPES: Readonly<Record<Via['dialect'], DialectShape>> = {
  'openai-chat': { upstream: openaiChat.upstream, part: MESSAGES, answered: /\.tool_call_id$/ },
  anthropic: { upstream: anthropic.upstream, part: MESSAGES, answered: /\.tool_use_id$/ },
  'amazon-q': {
    upstream: amazonQ.upstream,
    part: /^conversationState\.(?:history\[(?<message>\d+)\]|currentMessage)\.\w+\.(?:userInputMessageContext\.)?(?<part>\w+(?:\[\d+\])?)/,
    answered: /\.toolResults\[\d+\]\.toolUseId$/,
  },
}

/** The names of dialects. */
export type DialectName = Via['dialect']

/** The dialect in which a provider of this name is spoken to. */
export function dialectNamed(profile: string): DialectName {
  return profile === 'anthropic' || profile === 'amazon-q' ? profile : 'openai-chat'
}

/** The translator of a dialect. */
export function upstreamNamed(dialect: DialectName): UpstreamDialect {
  return SHAPES[dialect].upstream
}

/** The parts of messages to which these paths belong, each once. */
export function destinationsOf(
  paths: readonly string[],
  dialect: DialectName,
  messages: number,
): Destination[] {
  const found = paths.map((path): Destination => {
    const { 0: shown, groups = {} } = SHAPES[dialect].part.exec(path) ?? {}
    if (shown === undefined) return { path }
    const { message = messages - 1, part } = groups
    return { path: shown, message: Number(message), part }
  })
  return [...new Map(found.map((destination) => [destination.path, destination])).values()]
}

/** Where the ids of answered calls are in a body. */
export function answersIn(
  body: unknown,
  dialect: DialectName,
): { readonly path: string; readonly id: string }[] {
  const { answered } = SHAPES[dialect]
  return leavesOf(body).flatMap(({ path, text }) => (answered.test(path) ? [{ path, id: text }] : []))
}
