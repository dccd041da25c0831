import type { Attributes } from '@opentelemetry/api'
import { type HubRequest, type HubUsage, providerNamed } from '@hydra/core'
import type { ExchangeReport } from '../exchange/report.ts'
import type { BegunExchange, ObservedTarget } from '../observe/observer.ts'
import { type Conventions, finishReason } from './conventions.ts'
import { inputTokens } from './telemetry-metrics.ts'

/** What spans and metrics say of a call; few values, because each set of them is a series. */
export function sharedAttributes({ model, upstream, url, profile }: ObservedTarget): Attributes {
  const provider = providerNamed(profile.name)
  const isKnown = provider !== undefined && profile.name !== 'generic'
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': isKnown ? (provider.telemetryName ?? provider.name) : upstream,
    'gen_ai.request.model': model,
    ...serverAttributes(url),
  }
}

function serverAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) }
}

/** What a request asks for. */
export function requestAttributes(
  request: HubRequest | undefined,
  { agent, client }: BegunExchange,
): Attributes {
  const { model, stream, max_tokens, temperature, top_p, top_k, stop_sequences, extras = {} } = request ?? {}
  return present({
    'gen_ai.conversation.id': agent.session,
    'gen_ai.request.stream': stream === true ? true : undefined,
    'gen_ai.request.max_tokens': max_tokens,
    'gen_ai.request.temperature': temperature ?? undefined,
    'gen_ai.request.top_p': top_p ?? undefined,
    'gen_ai.request.top_k': top_k ?? undefined,
    'gen_ai.request.stop_sequences': stop_sequences ?? undefined,
    'gen_ai.request.seed': extras.seed,
    'gen_ai.request.frequency_penalty': extras.frequency_penalty,
    'gen_ai.request.presence_penalty': extras.presence_penalty,
    'gen_ai.request.reasoning.level': request?.output_config?.effort ?? undefined,
    'gen_ai.output.type': wantsJson(request) ? 'json' : undefined,
    'hydra.client.dialect': client,
    'hydra.client.model': model,
    'hydra.client.name': agent.name,
    'hydra.agent.kind': agent.kind,
  })
}

function wantsJson(request: HubRequest | undefined): boolean {
  return request?.extras?.json_object === true || request?.output_config?.format?.type === 'json_schema'
}

/** What became of it. */
export function answerAttributes(report: ExchangeReport, names: Conventions): Attributes {
  const { usage, isEstimated, cost, retries, id, notes, answeredBy } = report
  return {
    ...finishAttributes(report),
    ...present({ 'gen_ai.response.model': answeredBy?.model, 'gen_ai.response.id': answeredBy?.id }),
    // An estimate of ours is no usage.
    ...(usage === undefined || isEstimated === true ? {} : usageAttributes(usage, names)),
    ...(cost?.usd !== undefined && { 'gen_ai.usage.cost': cost.usd }),
    'hydra.request.id': id,
    'hydra.retries': retries,
    'hydra.notes': notes.length,
  }
}

/** An answer that had begun and did not come to its end has finished in an error. */
function finishAttributes({ outcome, stopReason, firstByte, status }: ExchangeReport): Attributes {
  if (outcome === 'answered') return { 'gen_ai.response.finish_reasons': [finishReason(stopReason)] }
  const hasBegun = firstByte !== undefined && status < 400
  return hasBegun ? { 'gen_ai.response.finish_reasons': [finishReason(undefined)] } : {}
}

function usageAttributes(usage: HubUsage, names: Conventions): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens(usage),
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens ?? 0,
    [names.cacheWrite]: usage.cache_creation_input_tokens ?? 0,
    'gen_ai.usage.reasoning.output_tokens': usage.output_tokens_details?.thinking_tokens ?? 0,
  }
}

function present(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
