import {
  amazonQ,
  anthropic,
  type BuiltInDialect,
  type ClientDialect,
  gemini,
  openaiChat,
  openaiResponses,
  registry,
  type UpstreamDialect,
} from '@hydra/core'
import { amazonQBenched } from './amazon-q.ts'
import { anthropicBenched } from './anthropic.ts'
import type { BenchedClient, BenchedDialect, BenchedUpstream } from './benched-dialect.ts'
import { geminiBenched } from './gemini.ts'
import { openaiChatBenched } from './openai-chat.ts'
import { openaiResponsesBenched } from './openai-responses.ts'

/** How each dialect is measured; one that is missing here is not. */
const BENCHED: Readonly<Partial<Record<BuiltInDialect, BenchedDialect>>> = {
  [anthropic.name]: anthropicBenched,
  [openaiChat.name]: openaiChatBenched,
  [openaiResponses.name]: openaiResponsesBenched,
  [gemini.name]: geminiBenched,
  [amazonQ.name]: amazonQBenched,
}

/** An upstream and how it is measured. */
export interface UpstreamEntry {
  readonly name: string
  readonly dialect: UpstreamDialect
  readonly benched: BenchedUpstream
}

/** A client and how it is measured. */
export interface ClientEntry {
  readonly name: string
  readonly dialect: ClientDialect
  readonly benched: BenchedClient
}

/** A client of one dialect and an upstream of another, or of the same. */
export interface Pair {
  readonly client: ClientEntry
  readonly upstream: UpstreamEntry
}

/** All upstreams of the registry that are measured. */
export const UPSTREAMS: readonly UpstreamEntry[] = registry.upstreams.flatMap(({ name, upstream }) => {
  const benched = benchedOf(name)?.upstream
  return benched === undefined ? [] : [{ name, dialect: upstream, benched }]
})

/** All clients of the registry that are measured. */
export const CLIENTS: readonly ClientEntry[] = registry.clients.flatMap(({ name, client }) => {
  const benched = benchedOf(name)?.client
  return benched === undefined ? [] : [{ name, dialect: client, benched }]
})

/** Every client with every upstream. */
export const PAIRS: readonly Pair[] = CLIENTS.flatMap((client) =>
  UPSTREAMS.map((upstream) => ({ client, upstream })),
)

/** The pair that figures are measured with which do not differ from pair to pair. */
export const STANDARD: Pair = namedPair(`${anthropic.name}/${openaiChat.name}`)

/** A pair by its name. */
export function namedPair(name: string): Pair {
  const found = PAIRS.find((pair) => pairName(pair) === name)
  if (found !== undefined) return found
  throw new Error(`expected a pair such as ${PAIRS.slice(0, 2).map(pairName).join(' or ')}, got ${name}`)
}

/** How a pair is called in tables and on the command line. */
export function pairName({ client, upstream }: Pair): string {
  return `${client.name}/${upstream.name}`
}

function benchedOf(name: string): BenchedDialect | undefined {
  return (BENCHED as Readonly<Record<string, BenchedDialect>>)[name]
}
