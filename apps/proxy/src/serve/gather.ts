import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'

/** What processes say to one another: one asks for something of all, the first one asks each of them, and back. */
interface GatherMessage {
  readonly gather: 'all?' | 'all' | 'one?' | 'one'
  readonly id: string
  readonly topic: string
  /** What the question is about, within its topic. */
  readonly about?: string | undefined
  readonly value?: unknown
}

/** What one process said. */
export interface Gathered {
  readonly worker: string
  readonly value: unknown
}

/** How long each process has to answer, in milliseconds, and all of them together. */
const ONE_LIMIT = 1000
const ALL_LIMIT = 5000

/** In a worker: answers questions of a topic, and gives the way to ask all workers the same. */
export function offer(
  topic: string,
  answer: (about: string | undefined) => unknown,
): (about?: string) => Promise<readonly Gathered[]> {
  process.on('message', (message) => {
    if (!isGathering(message) || message.gather !== 'one?' || message.topic !== topic) return
    process.send?.({ ...message, gather: 'one', value: answer(message.about) } satisfies GatherMessage)
  })
  return async (about) => {
    const question = { gather: 'all?', id: randomUUID(), topic, about } as const
    const { value } = await replyTo(question)
    return value as readonly Gathered[]
  }
}

function replyTo(question: GatherMessage): Promise<GatherMessage> {
  return new Promise((resolve, reject) => {
    const take = (message: unknown): void => {
      if (!isGathering(message) || message.gather !== 'all' || message.id !== question.id) return
      clearTimeout(timer)
      process.off('message', take)
      resolve(message)
    }
    const timer = setTimeout(() => {
      process.off('message', take)
      reject(new Error('the other processes did not answer in time'))
    }, ALL_LIMIT)
    process.on('message', take)
    process.send?.(question)
  })
}

/** In the first process: passes questions of one worker on to all; one that does not answer in time is left out. */
export class Gatherer {
  readonly #waiting = new Map<string, (value: unknown) => void>()
  readonly #completed: (topic: string, gathered: readonly Gathered[]) => readonly Gathered[]

  /** What was gathered can be completed by what only the first process knows. */
  constructor(completed: (topic: string, gathered: readonly Gathered[]) => readonly Gathered[]) {
    this.#completed = completed
    cluster.on('message', (worker, message) => {
      if (!isGathering(message)) return
      if (message.gather === 'one') this.#waiting.get(message.id)?.(message.value)
      if (message.gather === 'all?') void this.#answer(worker, message)
    })
  }

  async #answer(asking: Worker, { id, topic, about }: GatherMessage): Promise<void> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const asked = await Promise.all(workers.map((worker) => this.#ask(worker, topic, about)))
    const value = this.#completed(topic, asked.flat())
    if (asking.isConnected()) asking.send({ gather: 'all', id, topic, value } satisfies GatherMessage)
  }

  #ask(worker: Worker, topic: string, about: string | undefined): Promise<readonly Gathered[]> {
    return new Promise((resolve) => {
      const id = randomUUID()
      const finish = (answers: readonly Gathered[]): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(answers)
      }
      const timer = setTimeout(() => finish([]), ONE_LIMIT)
      this.#waiting.set(id, (value) => finish([{ worker: String(worker.id), value }]))
      worker.send(
        { gather: 'one?', id, topic, about } satisfies GatherMessage,
        (error) => error && finish([]),
      )
    })
  }
}

function isGathering(message: unknown): message is GatherMessage {
  return typeof message === 'object' && message !== null && 'gather' in message && 'id' in message
}
