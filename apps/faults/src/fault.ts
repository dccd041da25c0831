/** What came of a fault; all but the first number have to be zero. */
export interface Tally {
  /** How many exchanges, connections, pieces or shapes were tried. */
  readonly tried: number
  /** Answers that looked whole and were not, or were whole and failed at once. */
  readonly lies: number
  /** Exchanges without the answer, or without the error, that they should have had. */
  readonly lost: number
  /** Descriptors, connections or memory that did not come back. */
  readonly leaked: number
}

/** One kind of fault. */
export interface Fault {
  /** Its number in the list of faults, and what it is. */
  readonly name: string
  run(): Promise<Tally>
}
