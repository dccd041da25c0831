/** One line of a report: a figure, and the limit that it must not exceed, if it has one. */
export interface Figure {
  readonly name: string
  readonly value: number
  /** How the value is written: a bare ratio, or a number of kilobytes or milliseconds. */
  readonly unit: 'ratio' | 'KB' | 'ms'
  readonly limit?: number
  /** What else is worth knowing, such as the absolute times. */
  readonly detail: string
}

/** Measures one subject, telling what it is at. */
export type Suite = (progress: (what: string) => void) => readonly Figure[] | Promise<readonly Figure[]>
