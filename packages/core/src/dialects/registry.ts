import { amazonQ } from './amazon-q/index.ts'
import { anthropic } from './anthropic/index.ts'
import type { ClientDialect, Dialect, UpstreamDialect } from './dialect.ts'
import { gemini } from './gemini/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** The one list of dialects: types, configuration, tables and tests derive from it. */
const DIALECTS = [anthropic, openaiChat, openaiResponses, gemini, amazonQ] as const

/** The dialects that Hydra brings along. */
export type BuiltInDialect = (typeof DIALECTS)[number]['name']

/** The name of a dialect: one that Hydra brings along, or one that was registered. */
export type DialectName = BuiltInDialect | (string & {})

/** Knows all dialects by name. */
export class DialectRegistry {
  readonly #dialects = new Map<string, Dialect>()

  constructor(dialects: readonly Dialect[]) {
    for (const dialect of dialects) this.register(dialect)
  }

  /** Adds a dialect, and takes it away again when the result is called. */
  register(dialect: Dialect): () => void {
    const { name } = dialect
    if (this.#dialects.has(name)) throw new Error(`dialect ${name}: registered twice`)
    this.#dialects.set(name, dialect)
    return () => this.#dialects.delete(name)
  }

  get names(): readonly DialectName[] {
    return [...this.#dialects.keys()]
  }

  get all(): readonly Dialect[] {
    return [...this.#dialects.values()]
  }

  /** Those that a client may speak to us, the first in case of doubt first. */
  get clients(): readonly Required<Pick<Dialect, 'name' | 'client'>>[] {
    return this.all.flatMap(({ name, client }) => (client === undefined ? [] : [{ name, client }]))
  }

  /** Those that an upstream may be called in. */
  get upstreams(): readonly Required<Pick<Dialect, 'name' | 'upstream'>>[] {
    return this.all.flatMap(({ name, upstream }) => (upstream === undefined ? [] : [{ name, upstream }]))
  }

  get(name: DialectName): Dialect | undefined {
    return this.#dialects.get(name)
  }

  /** The client's side of a dialect; an unknown name is an error that lists those that are known. */
  client(name: DialectName): ClientDialect {
    const client = this.#dialects.get(name)?.client
    if (client !== undefined) return client
    throw new Error(`dialect ${name}: expected one of ${namesOf(this.clients)}`)
  }

  /** The upstream's side of a dialect. */
  upstream(name: DialectName): UpstreamDialect {
    const upstream = this.#dialects.get(name)?.upstream
    if (upstream !== undefined) return upstream
    throw new Error(`dialect ${name}: expected one of ${namesOf(this.upstreams)}`)
  }
}

function namesOf(dialects: readonly Pick<Dialect, 'name'>[]): string {
  return dialects.map(({ name }) => name).join(', ')
}

/** All dialects. */
export const registry: DialectRegistry = new DialectRegistry(DIALECTS)
