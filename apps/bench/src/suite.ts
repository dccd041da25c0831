import type { Pair } from './dialects/benched.ts'

/** One line of a report: a figure, and the limit that it must not exceed, if it has one. */
export interface Figure {
  readonly name: string
  /** The client and the upstream that it was measured with, where a suite measures several of them. */
  readonly pair?: string
  readonly value: number
  /** How the value is written: a bare ratio, or a number of kilobytes or milliseconds. */
  readonly unit: 'ratio' | 'KB' | 'ms'
  readonly limit?: number
  /** What else is worth knowing, such as the absolute times. */
  readonly detail: string
}

/** What whoever runs a suite wants of it. */
export interface Wishes {
  /** Clients and upstreams to measure, where a suite does not measure all of them anyway. */
  readonly pairs?: readonly Pair[] | undefined
  /** Few rounds: the figures scatter more, but come soon. */
  readonly isQuick: boolean
}

/** Measures one subject, telling what it is at. */
export type Suite = (
  progress: (what: string) => void,
  wishes: Wishes,
) => readonly Figure[] | Promise<readonly Figure[]>
