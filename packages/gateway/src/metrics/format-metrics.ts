import type { HistogramFamily, HistogramSample, Labels, MetricFamily } from './family.ts'

/** The content type of Prometheus's text format. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Figures in Prometheus's text format. */
export function formatMetrics(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map((family) => {
      const { name, help, type } = family
      const lines = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...linesOf(family)]
      return `${lines.join('\n')}\n`
    })
    .join('')
}

function linesOf(family: MetricFamily): readonly string[] {
  if (family.type === 'histogram') return family.samples.flatMap((sample) => histogramLines(family, sample))
  return family.samples.map(({ labels, value }) => line(family.name, labels, value))
}

/** Buckets are cumulative on the wire: each counts everything below its bound. */
function histogramLines(
  { name, bounds }: HistogramFamily,
  { labels, counts, sum }: HistogramSample,
): string[] {
  let below = 0
  const buckets = [...bounds, Infinity].map((bound, index) => {
    below += counts[index] ?? 0
    return line(`${name}_bucket`, { ...labels, le: shown(bound) }, below)
  })
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, below)]
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${shown(value)}`
}

function shown(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}

function escapeLabel(text: string): string {
  return escapeHelp(text.toWellFormed()).replaceAll('"', String.raw`\"`)
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`)
}
