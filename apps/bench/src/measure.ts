/** Something to be timed: does its work a number of times. */
export type Subject = (times: number) => void

/** How a measurement is made. */
export interface MeasureOptions {
  readonly rounds: number
  /** The least time that one subject takes in one round. */
  readonly roundMilliseconds: number
  readonly warmUpMilliseconds: number
}

/** What one subject cost, by round: CPU milliseconds for doing its work once. */
export type Costs = readonly number[]

const DEFAULTS: MeasureOptions = { rounds: 21, roundMilliseconds: 60, warmUpMilliseconds: 600 }

/** The same in a third of the time, for figures that may scatter more. */
export function quicker({ rounds, roundMilliseconds, warmUpMilliseconds }: MeasureOptions): MeasureOptions {
  return {
    rounds: Math.ceil(rounds / 3),
    roundMilliseconds: roundMilliseconds / 2,
    warmUpMilliseconds: warmUpMilliseconds / 2,
  }
}

/**
 * Times several subjects that take turns, round by round: what disturbs one, disturbs its neighbours too,
 * and falls out of their ratio. The order turns around with each round, so that nobody always comes first.
 * No collection is forced in between: it would throw away compiled code that a busy server keeps.
 */
export function measure<Name extends string>(
  subjects: Readonly<Record<Name, Subject>>,
  options: Partial<MeasureOptions> = {},
): Record<Name, Costs> {
  const { rounds, roundMilliseconds, warmUpMilliseconds } = { ...DEFAULTS, ...options }
  const names = Object.keys(subjects) as Name[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  const times = Object.fromEntries(
    names.map((name) => [name, timesToFill(roundMilliseconds, subjects[name], warmUpMilliseconds)]),
  ) as Record<Name, number>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      costs[name].push(cpuMilliseconds(() => subjects[name](times[name])) / times[name])
    }
  }
  return costs
}

/** Runs a subject for a while, for what it teaches the compiler. */
export function warmUp(subject: Subject, milliseconds: number): void {
  for (let spent = 0; spent < milliseconds;) spent += cpuMilliseconds(() => subject(1))
}

/** The median of the ratios of each round. */
export function medianRatio(costs: Costs, floor: Costs): number {
  return median(costs.map((cost, round) => cost / (floor[round] ?? Number.NaN)))
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Warms a subject up until the compiler is done with it, and finds out how often it fits into a round. */
function timesToFill(milliseconds: number, subject: Subject, warmUpMilliseconds: number): number {
  let done = 0
  let spent = 0
  for (let times = 1; spent < warmUpMilliseconds; times = Math.min(times * 2, 1000)) {
    const cost = cpuMilliseconds(() => subject(times))
    spent += cost
    // The first half runs on code that is not optimised yet, and would make the rounds too short.
    if (spent > warmUpMilliseconds / 2) done = Math.max(done, times / Math.max(cost, 0.01))
  }
  return Math.max(1, Math.ceil(done * milliseconds))
}

/** The CPU time of this process, of all its threads: garbage that others sweep up is paid for as well. */
function cpuMilliseconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
