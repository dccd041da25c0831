import type { ClientIdentity, ExchangeReport } from '@hydra/gateway'
import { createTeam, openStore, type Team } from '@hydra/team'

/** What all simulated replicas share. */
export interface Traffic {
  readonly store: string
  readonly lease: number
  /** How many requests are still to be sent, by all together. */
  left: number
  readonly clientAt: (index: number) => SimulatedClient
  readonly tally: Tally
}

/** A client, and what its requests really use of what is reserved for them. */
export interface SimulatedClient extends ClientIdentity {
  readonly usedShare: number
}

/** What became of the requests. */
export interface Tally {
  admitted: number
  refused: number
  unsure: number
  /** Requests that died with their replica. */
  lost: number
}

/** Requests that a replica has under way. */
const LANES = 4
const INPUT = 300
const MAX_OUTPUT = 200
/** How long a call takes, in milliseconds: at least, and how much more. */
const CALL = { least: 2, more: 8 }

const REPORT = { agent: { kind: 'client', name: 'bench/1' } } as ExchangeReport

/** The real limiter, store and connection of one replica, with requests that are made up. */
export class Replica {
  readonly #team: Team
  readonly #traffic: Traffic
  #isDead = false

  private constructor(team: Team, traffic: Traffic) {
    this.#team = team
    this.#traffic = traffic
  }

  static async start(traffic: Traffic): Promise<Replica> {
    // What is measured is the store: a machine that is busy with something else must not count as its loss.
    const store = await openStore(traffic.store, { timeout: 10_000 })
    return new Replica(await createTeam({ store, lease: traffic.lease }), traffic)
  }

  /** Sends requests until all are sent, or it dies. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, () => this.#lane()))
  }

  /** Dies as it stands: what it has under way is never settled. */
  async kill(): Promise<void> {
    this.#isDead = true
    await this.#team.close()
  }

  async close(): Promise<void> {
    if (!this.#isDead) await this.#team.close()
  }

  async #lane(): Promise<void> {
    const { tally, clientAt } = this.#traffic
    while (this.#traffic.left > 0 && !this.#isDead) {
      this.#traffic.left -= 1
      const client = clientAt(this.#traffic.left)
      const demand = { model: 'm', upstreamModel: 'm', upstream: 'up', input: INPUT, maxOutput: MAX_OUTPUT }
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      const { refusal, settle } = await this.#team.limiter.admit(client, demand)
      if (refusal !== undefined) {
        if (refusal.status === 503) tally.unsure += 1
        else tally.refused += 1
        continue
      }
      tally.admitted += 1
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, CALL.least + Math.random() * CALL.more))
      if (this.#isDead) {
        tally.lost += 1
        return
      }
      settle?.({ input: Math.round(INPUT * client.usedShare), output: MAX_OUTPUT }, REPORT)
    }
  }
}
