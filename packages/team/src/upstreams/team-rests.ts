import type { UpstreamRests } from '@hydra/gateway'
import type { Rests } from '../store/store.ts'

/** What the replicas are made of that know together what rests. */
export interface TeamRestsOptions {
  readonly rests: Rests
  /** How often it is looked what others have found, in milliseconds. */
  readonly interval?: number | undefined
  readonly onLost: (thrown: unknown) => void
}

const INTERVAL = 1000

/** What rests, as all replicas know it: told at once, heard of within a second, so that no call waits for the store. */
export class TeamRests implements UpstreamRests {
  readonly #rests: Rests
  readonly #onLost: (thrown: unknown) => void
  readonly #timer: NodeJS.Timeout
  #until: ReadonlyMap<string, number> = new Map()

  constructor({ rests, interval = INTERVAL, onLost }: TeamRestsOptions) {
    this.#rests = rests
    this.#onLost = onLost
    this.#timer = setInterval(() => void this.refresh(), interval)
    this.#timer.unref()
  }

  restOf(name: string): number {
    const until = this.#until.get(name)
    return until === undefined ? 0 : Math.max(0, until - performance.now())
  }

  rest(name: string, milliseconds: number): void {
    this.#until = new Map([...this.#until, [name, performance.now() + milliseconds]])
    this.#rests.put(name, milliseconds).catch(this.#onLost)
  }

  works(name: string): void {
    this.#until = new Map([...this.#until].filter(([one]) => one !== name))
    this.#rests.end(name).catch(this.#onLost)
  }

  /** Looks what the others have found. While the store is gone, what is known stays. */
  async refresh(): Promise<void> {
    try {
      const left = await this.#rests.all()
      const now = performance.now()
      this.#until = new Map([...left].map(([name, milliseconds]) => [name, now + milliseconds]))
    } catch (thrown) {
      this.#onLost(thrown)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
