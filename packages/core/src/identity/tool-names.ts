import { knownDigest } from './digest.ts'

const ILLEGAL = /[^a-zA-Z0-9_-]/
const ILLEGAL_ALL = /[^a-zA-Z0-9_-]/g
const HASH_LENGTH = 8

/** Fits a name into what upstreams accept: its beginning and a hash of the whole, the same every time. */
function shorten(name: string, maxLength: number): string {
  const kept = name.replaceAll(ILLEGAL_ALL, '_').slice(0, maxLength - HASH_LENGTH - 1)
  return `${kept}_${knownDigest(name).slice(0, HASH_LENGTH)}`
}

/** The tool names of one request, both ways: what the client calls a tool, and what the upstream may call it. */
export class ToolNames {
  readonly #maxLength: number
  readonly #toWire = new Map<string, string>()
  readonly #toClient = new Map<string, string>()
  readonly #offered: readonly string[]

  constructor(maxLength: number, offered: readonly string[] = []) {
    this.#maxLength = maxLength
    this.#offered = offered
    for (const name of offered) this.toWire(name)
  }

  /** The name under which the upstream knows a tool. */
  toWire(name: string): string {
    const known = this.#toWire.get(name)
    if (known !== undefined) return known
    const wireName = this.#pick(name)
    this.#toWire.set(name, wireName)
    this.#toClient.set(wireName, name)
    return wireName
  }

  /** The client's name for what the upstream called; one that differs only in case is the client's spelling. */
  toClient(wireName: string): string {
    return this.#toClient.get(wireName) ?? this.#ignoringCase(wireName) ?? wireName
  }

  /** Whether a tool was offered under this name. */
  isOffered(wireName: string): boolean {
    const name = this.toClient(wireName)
    return this.#offered.includes(name)
  }

  #pick(name: string): string {
    const fits = name.length > 0 && name.length <= this.#maxLength && !ILLEGAL.test(name)
    if (fits && !this.#toClient.has(name)) return name
    for (let salted = name; ; salted += '+') {
      const wireName = shorten(salted, this.#maxLength)
      if (!this.#toClient.has(wireName)) return wireName
    }
  }

  #ignoringCase(wireName: string): string | undefined {
    const wanted = wireName.toLowerCase()
    return this.#offered.find((name) => name.toLowerCase() === wanted)
  }
}
