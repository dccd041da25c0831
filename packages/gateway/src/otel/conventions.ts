/** Names of OpenTelemetry's conventions for generative AI, which no package exports in both their versions. */
export interface Conventions {
  readonly duration: string
  readonly firstChunk: string
  readonly nextChunk: string
  readonly cacheWrite: string
  /** Whether tokens are one histogram with a type, or counters and histograms of their own. */
  readonly hasTokenCounters: boolean
}

/** As released last (v1.41.1): what backends know. */
const RELEASED: Conventions = {
  duration: 'gen_ai.client.operation.duration',
  firstChunk: 'gen_ai.client.operation.time_to_first_chunk',
  nextChunk: 'gen_ai.client.operation.time_per_output_chunk',
  cacheWrite: 'gen_ai.usage.cache_creation.input_tokens',
  hasTokenCounters: false,
}

/** As they are now in the repository of the conventions. */
const LATEST: Conventions = {
  duration: 'gen_ai.client.inference.duration',
  firstChunk: 'gen_ai.client.inference.time_to_first_chunk',
  nextChunk: 'gen_ai.client.inference.time_per_output_chunk',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  hasTokenCounters: true,
}

/** Where the words of conversations go. */
export interface ContentCapture {
  readonly onSpan: boolean
  readonly onEvent: boolean
}

/** Variables as OpenTelemetry's other instrumentations know them. */
export type TelemetryEnvironment = Readonly<Record<string, string | undefined>>

/** The conventions that `OTEL_SEMCONV_STABILITY_OPT_IN` asks for. */
export function conventionsIn(env: TelemetryEnvironment): Conventions {
  const wishes = (env['OTEL_SEMCONV_STABILITY_OPT_IN'] ?? '').split(',').map((wish) => wish.trim())
  return wishes.includes('gen_ai_latest_experimental') ? LATEST : RELEASED
}

const CAPTURES: Readonly<Record<string, ContentCapture>> = {
  SPAN_ONLY: { onSpan: true, onEvent: false },
  EVENT_ONLY: { onSpan: false, onEvent: true },
  SPAN_AND_EVENT: { onSpan: true, onEvent: true },
  TRUE: { onSpan: true, onEvent: false },
}

/** Whether `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` asks for the words of conversations; by default none leave. */
export function captureIn(env: TelemetryEnvironment): ContentCapture | undefined {
  const wish = env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? ''
  return CAPTURES[wish.trim().toUpperCase()]
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_call',
  refusal: 'content_filter',
}

/** A reason to stop in the words of the conventions; an answer that was cut off ends in an error. */
export function finishReason(reason: string | null | undefined): string {
  if (reason === null || reason === undefined) return 'error'
  const known = Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : undefined
  return known ?? reason
}
