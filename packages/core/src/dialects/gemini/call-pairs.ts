import type { Notes } from '../../hub/note.ts'

/** A call of the conversation, and whether its result has come. */
interface Call {
  readonly hubId: string
  isAnswered: boolean
}

/** Where a call or a result is. */
interface Named {
  readonly id: string | undefined
  readonly name: string
  readonly path: string
}

/** Calls of one kind in the order in which they were made; those that have their result are passed over once. */
class OpenCalls {
  readonly #calls: Call[] = []
  #next = 0

  push(call: Call): void {
    this.#calls.push(call)
  }

  get first(): Call | undefined {
    while (this.#calls[this.#next]?.isAnswered === true) this.#next += 1
    return this.#calls[this.#next]
  }
}

/** Calls by their id or name. */
class CallsBy {
  readonly #calls = new Map<string, OpenCalls>()

  add(key: string, call: Call): void {
    let calls = this.#calls.get(key)
    if (calls === undefined) this.#calls.set(key, (calls = new OpenCalls()))
    calls.push(call)
  }

  has(key: string): boolean {
    return this.#calls.has(key)
  }

  firstOpen(key: string): Call | undefined {
    return this.#calls.get(key)?.first
  }
}

/**
 * Pairs the results of a conversation with its calls. Google's ids are optional, clients leave them out or use one
 * twice, and so the hub's ids are made here: an id where it is good for one, else the place of the call.
 */
export class CallPairs {
  readonly #notes: Notes
  readonly #byId = new CallsBy()
  readonly #byName = new CallsBy()
  /** Those without an id, by name. */
  readonly #unnumbered = new CallsBy()
  readonly #taken = new Set<string>()
  /** The last number of each id that was used before: a search from the beginning each time would cost quadratic time. */
  readonly #counts = new Map<string, number>()

  constructor(notes: Notes) {
    this.#notes = notes
  }

  /** The hub's id of a call. */
  call({ id, name, path }: Named): string {
    const hubId = this.#free(id ?? `call_${path.replaceAll(/\D+/g, '_').replaceAll(/^_|_$/g, '')}`)
    if (id !== undefined && hubId !== id) {
      this.#notes.add('call_id_distinct', path, `call id ${id} was used before: this call is now ${hubId}`)
    }
    const call = { hubId, isAnswered: false }
    this.#byName.add(name, call)
    if (id === undefined) this.#unnumbered.add(name, call)
    else this.#byId.add(id, call)
    return hubId
  }

  /** The hub's id of the call that a result belongs to; none for a result that came before. */
  result({ id, name, path }: Named): string | undefined {
    const call =
      id === undefined
        ? this.#byName.firstOpen(name)
        : (this.#byId.firstOpen(id) ?? this.#unnumbered.firstOpen(name))
    if (call !== undefined) {
      call.isAnswered = true
      return call.hubId
    }
    if (id !== undefined && this.#byId.has(id)) {
      this.#notes.add(
        'result_duplicate',
        path,
        `the call ${id} has its result already: this one was left out`,
      )
      return undefined
    }
    return this.#free(id ?? 'call_unknown')
  }

  #free(id: string): string {
    let free = id
    let count = this.#counts.get(id) ?? 1
    while (this.#taken.has(free)) {
      count += 1
      free = `${id}_${count}`
    }
    this.#counts.set(id, count)
    this.#taken.add(free)
    return free
  }
}
