import type { ExchangeReport } from '@hydra/gateway'

/** After how many lines with it a note tells nothing new. */
const OFTEN = 2

/** So that clients with ever new names cannot fill the memory. */
const MAX_CLIENTS = 1000

/** Knows which notes stand in every line of a client: what an agent always sends and its provider never takes. */
export class UsualNotes {
  readonly #seen = new Map<string, Map<string, number>>()

  /** The codes of this exchange that its client had in earlier lines as well; from now on those of this one count too. */
  take({ agent, upstream, notes }: ExchangeReport): ReadonlySet<string> {
    const counts = this.#countsOf(`${agent.name} ${upstream ?? ''}`)
    const codes = [...new Set(notes.map(({ code }) => code))]
    const usual = new Set(codes.filter((code) => (counts.get(code) ?? 0) >= OFTEN))
    for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
    return usual
  }

  #countsOf(client: string): Map<string, number> {
    const known = this.#seen.get(client)
    if (known !== undefined) return known
    if (this.#seen.size >= MAX_CLIENTS) this.#seen.clear()
    const counts = new Map<string, number>()
    this.#seen.set(client, counts)
    return counts
  }
}
