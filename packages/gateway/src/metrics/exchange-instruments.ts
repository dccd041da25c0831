import { Histogram, Tally } from './instruments.ts'
import type { MetricFamily } from './family.ts'

/** Seconds, doubling: those that OpenTelemetry recommends for answers of models. */
const ANSWER_BOUNDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const GAP_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type OfModel = 'upstream' | 'model'
type OfTokens = OfModel | 'source'

const MODEL: readonly OfModel[] = ['upstream', 'model']
const TOKENS: readonly OfTokens[] = [...MODEL, 'source']

/** Everything that is counted and measured of exchanges. */
export class ExchangeInstruments {
  readonly requests: Tally<'client' | OfModel | 'outcome'> = new Tally({
    name: 'hydra_requests_total',
    help: 'Exchanges with models and refused requests that are over.',
    labels: ['client', ...MODEL, 'outcome'],
  })
  readonly errors: Tally<'upstream' | 'kind'> = new Tally({
    name: 'hydra_errors_total',
    help: 'Exchanges that failed, by what clients were told.',
    labels: ['upstream', 'kind'],
  })
  readonly inputTokens: Tally<OfTokens | 'cache'> = new Tally({
    name: 'hydra_input_tokens_total',
    help: 'Tokens of prompts: plain ones, and those that were read from a cache or written to one.',
    labels: [...TOKENS, 'cache'],
  })
  readonly outputTokens: Tally<OfTokens> = new Tally({
    name: 'hydra_output_tokens_total',
    help: 'Tokens of answers, reasoning included.',
    labels: TOKENS,
  })
  readonly reasoningTokens: Tally<OfTokens> = new Tally({
    name: 'hydra_reasoning_tokens_total',
    help: 'The part of the output tokens that is reasoning.',
    labels: TOKENS,
  })
  readonly cost: Tally<OfModel> = new Tally({
    name: 'hydra_cost_usd_total',
    help: 'What exchanges cost at list price, in US dollars, as far as it is known.',
    labels: MODEL,
  })
  readonly costUnknown: Tally<OfModel> = new Tally({
    name: 'hydra_cost_unknown_total',
    help: 'Exchanges of which nobody knows what they cost.',
    labels: MODEL,
  })
  readonly firstToken: Histogram<OfModel> = new Histogram({
    name: 'hydra_time_to_first_token_seconds',
    help: 'From a request to the first piece of its streamed answer.',
    labels: MODEL,
    bounds: ANSWER_BOUNDS,
  })
  readonly duration: Histogram<OfModel | 'outcome'> = new Histogram({
    name: 'hydra_request_duration_seconds',
    help: 'From a request to the end of its answer.',
    labels: [...MODEL, 'outcome'],
    bounds: ANSWER_BOUNDS,
  })
  readonly gaps: Histogram<'upstream'> = new Histogram({
    name: 'hydra_stream_gap_seconds',
    help: 'Between two pieces of a streamed answer.',
    labels: ['upstream'],
    bounds: GAP_BOUNDS,
  })
  readonly retries: Tally<'upstream' | 'kind'> = new Tally({
    name: 'hydra_retries_total',
    help: 'Calls that were made again, by what had failed.',
    labels: ['upstream', 'kind'],
  })
  readonly fallbacks: Tally<'upstream' | 'to'> = new Tally({
    name: 'hydra_fallbacks_total',
    help: 'Exchanges that went to another upstream, because one had failed.',
    labels: ['upstream', 'to'],
  })
  readonly keyRefusals: Tally<'upstream' | 'key' | 'status'> = new Tally({
    name: 'hydra_key_refusals_total',
    help: 'Calls that were refused for one of several keys of an upstream, by its label.',
    labels: ['upstream', 'key', 'status'],
  })

  get families(): readonly MetricFamily[] {
    return [
      this.requests,
      this.errors,
      this.inputTokens,
      this.outputTokens,
      this.reasoningTokens,
      this.cost,
      this.costUnknown,
      this.firstToken,
      this.duration,
      this.gaps,
      this.retries,
      this.fallbacks,
      this.keyRefusals,
    ].map(({ family }) => family)
  }
}
