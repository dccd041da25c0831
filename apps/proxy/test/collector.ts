import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A value as OTLP writes it in JSON. */
type AnyValue = {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly doubleValue?: number
  readonly boolValue?: boolean
  readonly arrayValue?: { readonly values: readonly AnyValue[] }
}

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** A span as OTLP writes it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly KeyValue[]
  readonly events: readonly { readonly name: string; readonly attributes: readonly KeyValue[] }[]
  readonly status: { readonly code: number; readonly message?: string }
}

/** A metric as OTLP writes it in JSON. */
export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly histogram?: { readonly dataPoints: readonly ReceivedPoint[] }
  readonly sum?: { readonly dataPoints: readonly ReceivedPoint[] }
}

interface ReceivedPoint {
  readonly attributes: readonly KeyValue[]
  readonly count?: number | string
  readonly sum?: number
  readonly asInt?: number | string
  readonly asDouble?: number
}

/** Receives what an OTLP exporter sends over HTTP in JSON. */
export interface Collector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The latest of each metric, by name. */
  readonly metrics: Map<string, ReceivedMetric>
  readonly resources: Record<string, unknown>[]
  close(): Promise<void>
}

interface Export {
  readonly resourceSpans?: readonly ResourceSpans[]
  readonly resourceMetrics?: readonly ResourceMetrics[]
}

interface ResourceSpans {
  readonly resource: { readonly attributes: readonly KeyValue[] }
  readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[]
}

interface ResourceMetrics {
  readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[]
}

/** Starts one on a free port of the loopback interface. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const metrics = new Map<string, ReceivedMetric>()
  const resources: Record<string, unknown>[] = []
  const take = ({ resourceSpans = [], resourceMetrics = [] }: Export): void => {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(valuesOf(resource.attributes))
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    for (const metric of resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap((scope) => scope.metrics),
    )) {
      metrics.set(metric.name, metric)
    }
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.headers['content-type'] === 'application/json') {
        take(JSON.parse(Buffer.concat(pieces).toString()) as Export)
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    resources,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Attributes as plain values. */
export function valuesOf(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))
}

function plain(value: AnyValue): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plain)
  const { stringValue, intValue, doubleValue, boolValue } = value
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue))
}
