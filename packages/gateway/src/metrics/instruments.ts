import type { HistogramFamily, Labels, NumberFamily } from './family.ts'

/** What an instrument is called and what its labels are. */
export interface InstrumentOptions<Name extends string> {
  readonly name: string
  readonly help: string
  readonly labels: readonly Name[]
}

/** Distinguishes sets of labels; no value of a label has this character. */
const SEPARATOR = '\u0000'

/** Adds up numbers, one sum for each set of labels. */
export class Tally<Name extends string> {
  readonly #options: InstrumentOptions<Name>
  readonly #values = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(options: InstrumentOptions<Name>) {
    this.#options = options
  }

  add(labels: Readonly<Record<Name, string>>, by: number = 1): void {
    const key = keyOf(labels, this.#options.labels)
    const known = this.#values.get(key)
    if (known === undefined) this.#values.set(key, { labels, value: by })
    else known.value += by
  }

  get family(): NumberFamily {
    const { name, help } = this.#options
    const samples = [...this.#values.values()].map(({ labels, value }) => ({ labels, value }))
    return { type: 'counter', name, help, samples }
  }
}

/** Sorts numbers into buckets, for each set of labels. */
export class Histogram<Name extends string> {
  readonly #options: InstrumentOptions<Name>
  readonly #bounds: readonly number[]
  readonly #values = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()

  constructor(options: InstrumentOptions<Name> & { readonly bounds: readonly number[] }) {
    this.#options = options
    this.#bounds = options.bounds
  }

  observe(labels: Readonly<Record<Name, string>>, value: number): void {
    const { counts, bucket } = this.#place(labels, value)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }

  #place(labels: Readonly<Record<Name, string>>, value: number): { counts: number[]; bucket: number } {
    const key = keyOf(labels, this.#options.labels)
    let known = this.#values.get(key)
    if (known === undefined) {
      known = { labels, counts: Array.from({ length: this.#bounds.length + 1 }, () => 0), sum: 0 }
      this.#values.set(key, known)
    }
    known.sum += value
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    return { counts: known.counts, bucket: bucket === -1 ? this.#bounds.length : bucket }
  }

  get family(): HistogramFamily {
    const { name, help } = this.#options
    const samples = [...this.#values.values()].map(({ labels, counts, sum }) => ({
      labels,
      counts: [...counts],
      sum,
    }))
    return { type: 'histogram', name, help, bounds: this.#bounds, samples }
  }
}

function keyOf<Name extends string>(labels: Readonly<Record<Name, string>>, names: readonly Name[]): string {
  return names.map((name) => labels[name]).join(SEPARATOR)
}
