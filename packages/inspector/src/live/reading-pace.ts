import { performance } from 'node:perf_hooks'

/** While exchanges are under way, reading takes one part in so many of the processor's time that they take. */
const REST = 25
/** A process that does less is not slowed down by what is read in between. */
const MIN_LOAD = 0.2
/** One that does less than this only waits for its upstreams, and has time for who looks. */
const IDLE_LOAD = 0.05
const IDLE_REST = 3
const MAX_PAUSE = 2000
/** How long is looked at before it is said how busy the process is, in milliseconds: streams pause for less. */
const LOAD_WINDOW = 500

/** How long the event loop had something to do, and nothing, in milliseconds since it began. */
type Utilization = () => { readonly active: number; readonly idle: number }

/** Tells how long the traffic has the processor to itself before more is read. */
export class ReadingPace {
  readonly #utilization: Utilization
  #looked: ReturnType<Utilization>
  #load = 0
  /** What was read since the load was looked at, in milliseconds. */
  #read = 0

  constructor(utilization: Utilization = () => performance.eventLoopUtilization()) {
    this.#utilization = utilization
    this.#looked = utilization()
  }

  /** The pause behind what took so long to read, in milliseconds. */
  pauseAfter(took: number): number {
    this.#read += took
    this.#look()
    if (this.#load < IDLE_LOAD) return took * IDLE_REST
    return Math.min((took * REST) / Math.max(this.#load, MIN_LOAD), MAX_PAUSE)
  }

  /** The load is the part of the time in which the process does something else than read. */
  #look(): void {
    const { active, idle } = this.#utilization()
    const busy = active - this.#looked.active
    const all = busy + idle - this.#looked.idle
    if (all < LOAD_WINDOW) return
    this.#load = Math.max(0, busy - this.#read) / all
    this.#looked = { active, idle }
    this.#read = 0
  }
}
