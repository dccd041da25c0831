export { createMetrics, type Metrics, type MetricsOptions } from './create-metrics.ts'
export type { MetricFamily } from './family.ts'
export { formatMetrics, METRICS_CONTENT_TYPE } from './format-metrics.ts'
export { mergeMetrics, type ProcessMetrics } from './merge-metrics.ts'
