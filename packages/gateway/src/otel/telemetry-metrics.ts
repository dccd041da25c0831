import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { HubUsage } from '@hydra/core'
import type { Conventions } from './conventions.ts'

/** Bounds that the conventions recommend. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** Nobody here knows which tokens were text. */
const MODALITY = { 'gen_ai.token.modality': 'unknown' }

/** The metrics of the conventions. */
export class TelemetryMetrics {
  readonly #duration: Histogram
  readonly #firstChunk: Histogram
  readonly #nextChunk: Histogram
  readonly #tokens: TokenMetrics

  constructor(meter: Meter, names: Conventions) {
    const seconds = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: SECONDS } })
    this.#duration = seconds(names.duration, 'Duration of an operation with a model.')
    this.#firstChunk = seconds(names.firstChunk, 'Time to the first chunk of a stream.')
    this.#nextChunk = seconds(names.nextChunk, 'Time between two chunks of a stream.')
    this.#tokens = names.hasTokenCounters ? tokenCounters(meter) : tokenHistogram(meter)
  }

  firstChunk(milliseconds: number, attributes: Attributes): void {
    this.#firstChunk.record(milliseconds / 1000, attributes)
  }

  nextChunk(milliseconds: number, attributes: Attributes): void {
    this.#nextChunk.record(milliseconds / 1000, attributes)
  }

  done(milliseconds: number, attributes: Attributes, errorType: string | undefined): void {
    const failed = errorType === undefined ? {} : { 'error.type': errorType }
    this.#duration.record(milliseconds / 1000, { ...attributes, ...failed })
  }

  /** Only what an upstream has counted may be reported: an estimate is no usage. */
  used(usage: HubUsage, attributes: Attributes): void {
    this.#tokens.used(usage, attributes)
  }

  /** A call that failed without a usage. */
  unused(attributes: Attributes): void {
    this.#tokens.unused(attributes)
  }
}

interface TokenMetrics {
  used(usage: HubUsage, attributes: Attributes): void
  unused(attributes: Attributes): void
}

/** The whole input: what a cache has of it is part of it. */
export function inputTokens(usage: HubUsage): number {
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
}

function tokenHistogram(meter: Meter): TokenMetrics {
  const histogram = histogramOf(meter, 'gen_ai.client.token.usage')
  return {
    used(usage, attributes) {
      histogram.record(inputTokens(usage), { ...attributes, 'gen_ai.token.type': 'input' })
      histogram.record(usage.output_tokens, { ...attributes, 'gen_ai.token.type': 'output' })
    },
    // A zero would be a measured one.
    unused() {},
  }
}

function tokenCounters(meter: Meter): TokenMetrics {
  const counter = (name: string): Counter =>
    meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: '{token}' })
  const counters: readonly (readonly [Counter, (usage: HubUsage) => number])[] = [
    [counter('input_tokens'), inputTokens],
    [counter('output_tokens'), (usage) => usage.output_tokens],
    [counter('cache_read.input_tokens'), (usage) => usage.cache_read_input_tokens ?? 0],
    [counter('cache_write.input_tokens'), (usage) => usage.cache_creation_input_tokens ?? 0],
    [counter('reasoning.output_tokens'), (usage) => usage.output_tokens_details?.thinking_tokens ?? 0],
  ]
  const input = histogramOf(meter, 'gen_ai.client.inference.operation.input_tokens')
  const output = histogramOf(meter, 'gen_ai.client.inference.operation.output_tokens')
  return {
    used(usage, attributes) {
      for (const [one, count] of counters) one.add(count(usage), { ...attributes, ...MODALITY })
      input.record(inputTokens(usage), attributes)
      output.record(usage.output_tokens, attributes)
    },
    // The conventions ask for a series of zeros, so that rates of it are right from the first failure on.
    unused(attributes) {
      for (const [one] of counters) one.add(0, { ...attributes, ...MODALITY })
    },
  }
}

function histogramOf(meter: Meter, name: string): Histogram {
  return meter.createHistogram(name, { unit: '{token}', advice: { explicitBucketBoundaries: TOKENS } })
}
