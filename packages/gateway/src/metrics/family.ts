/** The labels of a sample, in a fixed order of names. */
export type Labels = Readonly<Record<string, string>>

/** A number with its labels. */
export interface NumberSample {
  readonly labels: Labels
  readonly value: number
}

/** How often values fell between bounds: counts of each bucket alone, the last one without an upper bound. */
export interface HistogramSample {
  readonly labels: Labels
  readonly counts: readonly number[]
  readonly sum: number
}

interface Family {
  readonly name: string
  readonly help: string
  /** Figures of one process, which cannot be added to those of another. */
  readonly isPerProcess?: boolean
}

/** A counter or a gauge at one moment. */
export interface NumberFamily extends Family {
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly NumberSample[]
}

/** A histogram at one moment. */
export interface HistogramFamily extends Family {
  readonly type: 'histogram'
  readonly bounds: readonly number[]
  readonly samples: readonly HistogramSample[]
}

/** All samples of one name; plain values, so that processes can send them to one another. */
export type MetricFamily = NumberFamily | HistogramFamily
