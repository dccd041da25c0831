import { knownDigest } from './digest.ts'

const ILLEGAL = /[^a-zA-Z0-9_-]/
const ILLEGAL_ALL = /[^a-zA-Z0-9_-]/g
const HASH_LENGTH = 8

/** What a name may begin with, unless the upstream is choosier. */
const ANY_BEGINNING = /^/

/** Fits a name into what upstreams accept: its beginning and a hash of the whole, the same every time. */
function shorten(name: string, maxLength: number, beginning: RegExp): string {
  const legal = name.replaceAll(ILLEGAL_ALL, '_')
  const kept = (beginning.test(legal) ? legal : `_${legal}`).slice(0, maxLength - HASH_LENGTH - 1)
  return `${kept}_${knownDigest(name).slice(0, HASH_LENGTH)}`
}

/** The tool names of one request, both ways: what the client calls a tool, and what the upstream may call it. */
export class ToolNames {
  readonly #maxLength: number
  readonly #beginning: RegExp
  readonly #toWire = new Map<string, string>()
  readonly #toClient = new Map<string, string>()
  readonly #offered: ReadonlySet<string>
  /** What was offered, by its name in small letters; made when it is first looked for. */
  #byLowerCase: Map<string, string> | undefined

  constructor(maxLength: number, offered: readonly string[] = [], beginning: RegExp = ANY_BEGINNING) {
    this.#maxLength = maxLength
    this.#beginning = beginning
    this.#offered = new Set(offered)
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
    return this.#offered.has(this.toClient(wireName))
  }

  #pick(name: string): string {
    const fits = name.length > 0 && name.length <= this.#maxLength && !ILLEGAL.test(name)
    if (fits && this.#beginning.test(name) && !this.#toClient.has(name)) return name
    for (let salted = name; ; salted += '+') {
      const wireName = shorten(salted, this.#maxLength, this.#beginning)
      if (!this.#toClient.has(wireName)) return wireName
    }
  }

  #ignoringCase(wireName: string): string | undefined {
    // The first one counts, so the others are put in before it.
    this.#byLowerCase ??= new Map([...this.#offered].toReversed().map((name) => [name.toLowerCase(), name]))
    return this.#byLowerCase.get(wireName.toLowerCase())
  }
}
