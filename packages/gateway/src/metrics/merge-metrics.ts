import type { HistogramSample, Labels, MetricFamily, NumberSample } from './family.ts'

/** The figures of one of several processes. */
export interface ProcessMetrics {
  /** What tells the process from the others. */
  readonly worker: string
  readonly families: readonly MetricFamily[]
}

/** The figures of several processes as those of one: sums, and what cannot be added with the name of its process. */
export function mergeMetrics(processes: readonly ProcessMetrics[]): readonly MetricFamily[] {
  const merged = new Map<string, MetricFamily>()
  for (const { worker, families } of processes) {
    for (const family of families) {
      const own = family.isPerProcess === true ? named(family, worker) : family
      const known = merged.get(own.name)
      merged.set(own.name, known === undefined ? own : added(known, own))
    }
  }
  return [...merged.values()]
}

function named(family: MetricFamily, worker: string): MetricFamily {
  const withName = <Sample extends { readonly labels: Labels }>(sample: Sample): Sample => ({
    ...sample,
    labels: { ...sample.labels, worker },
  })
  if (family.type === 'histogram') return { ...family, samples: family.samples.map(withName) }
  return { ...family, samples: family.samples.map(withName) }
}

function added(one: MetricFamily, other: MetricFamily): MetricFamily {
  if (one.type === 'histogram' && other.type === 'histogram') {
    return { ...one, samples: joined([...one.samples, ...other.samples], addHistograms) }
  }
  if (one.type !== 'histogram' && other.type !== 'histogram') {
    return { ...one, samples: joined([...one.samples, ...other.samples], addNumbers) }
  }
  return one
}

function joined<Sample extends { readonly labels: Labels }>(
  samples: readonly Sample[],
  add: (one: Sample, other: Sample) => Sample,
): readonly Sample[] {
  const byLabels = new Map<string, Sample>()
  for (const sample of samples) {
    const key = JSON.stringify(sample.labels)
    const known = byLabels.get(key)
    byLabels.set(key, known === undefined ? sample : add(known, sample))
  }
  return [...byLabels.values()]
}

function addNumbers(one: NumberSample, other: NumberSample): NumberSample {
  return { labels: one.labels, value: one.value + other.value }
}

function addHistograms(one: HistogramSample, other: HistogramSample): HistogramSample {
  const counts = one.counts.map((count, index) => count + (other.counts[index] ?? 0))
  return { labels: one.labels, counts, sum: one.sum + other.sum }
}
