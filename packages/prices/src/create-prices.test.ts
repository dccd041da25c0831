import {
  type Cost,
  type DialectName,
  type HubUsage,
  AnswerReader,
  plainReply,
  profiles,
  registry,
  usageOf,
  SILENT_SINK,
} from '@hydra/core'
import { expect, test } from 'vitest'
import { createPrices, type PricesOptions } from './create-prices.ts'

const NOVEMBER = new Date('2026-11-18T12:00:00Z')
const AT = { now: () => NOVEMBER }

function costOf(
  call: { url: string; model: string; usage?: Partial<HubUsage>; isEstimated?: boolean; tier?: string },
  options: PricesOptions = AT,
): Cost {
  const { usage, isEstimated = false, ...rest } = call
  const counted = usage === undefined ? undefined : usageOf(usage)
  return createPrices(options).cost({ upstream: 'up', ...rest, usage: counted, isEstimated })
}

function expectUsd(cost: Cost, usd: number): void {
  expect(cost.unknown).toBeUndefined()
  expect(cost.usd).toBeCloseTo(usd, 10)
}

/** The usage that a dialect's decoder finds in an answer of one body. */
function usageIn(dialect: DialectName, body: unknown): HubUsage | undefined {
  const upstream = registry.upstream(dialect)
  const reader = new AnswerReader(
    { upstream, reply: plainReply('m', profiles.generic), messageId: 'msg' },
    SILENT_SINK,
  )
  reader.push(new TextEncoder().encode(JSON.stringify(body)))
  reader.end()
  expect(reader.summary.isEstimated).toBe(false)
  return reader.summary.usage
}

test('Anthropic: what is read from a cache, written for five minutes and for an hour has a price of its own', () => {
  const usage = usageIn('anthropic', {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 1000,
      cache_read_input_tokens: 20_000,
      cache_creation_input_tokens: 3000,
      cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 1000 },
      output_tokens: 500,
      service_tier: 'standard',
      inference_geo: 'global',
    },
  })
  const cost = costOf({ url: 'https://api.anthropic.com', model: 'claude-opus-5', ...(usage && { usage }) })
  // 1000 × $5 + 20000 × $0.50 + 2000 × $6.25 + 1000 × $10 + 500 × $25, per million
  expectUsd(cost, 0.005 + 0.01 + 0.0125 + 0.01 + 0.0125)
  // 24000 × $5 + 500 × $25 would have been $0.1325
  expect(cost.savedByCache).toBeCloseTo(0.1325 - 0.05, 10)
})

test('OpenAI Chat: cached tokens are part of the prompt, and reasoning is part of the output', () => {
  const usage = usageIn('openai-chat', {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 10_000,
      completion_tokens: 800,
      total_tokens: 10_800,
      prompt_tokens_details: { cached_tokens: 8000 },
      completion_tokens_details: { reasoning_tokens: 600 },
    },
  })
  const cost = costOf({ url: 'https://api.openai.com/v1', model: 'gpt-5.1', ...(usage && { usage }) })
  // 2000 × $1.25 + 8000 × $0.125 + 800 × $10, per million
  expectUsd(cost, 0.0025 + 0.001 + 0.008)
  expect(cost.savedByCache).toBeCloseTo(8000 * 1.125e-6, 10)
})

test('OpenAI Responses: the same counts in their own fields', () => {
  const usage = usageIn('openai-responses', {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    ],
    usage: {
      input_tokens: 10_000,
      input_tokens_details: { cached_tokens: 8000 },
      output_tokens: 800,
      output_tokens_details: { reasoning_tokens: 600 },
      total_tokens: 10_800,
    },
  })
  const cost = costOf({ url: 'https://api.openai.com/v1', model: 'gpt-5.1', ...(usage && { usage }) })
  expectUsd(cost, 0.0115)
})

function geminiUsage(prompt: number, cached: number): HubUsage | undefined {
  return usageIn('gemini', {
    candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: cached,
      candidatesTokenCount: 100,
      thoughtsTokenCount: 900,
      totalTokenCount: prompt + 1000,
    },
  })
}

test('Gemini: thoughts are paid as output beside the candidates, and a long prompt is dearer', () => {
  const url = 'https://generativelanguage.googleapis.com/v1beta'
  const model = 'gemini-2.5-pro'
  // 6000 × $1.25 + 4000 × $0.125 + 1000 × $10, per million
  expectUsd(costOf({ url, model, ...usageField(geminiUsage(10_000, 4000)) }), 0.0075 + 0.0005 + 0.01)
  // Above 200000 tokens all of it costs more: 300000 × $2.50 + 1000 × $15
  expectUsd(costOf({ url, model, ...usageField(geminiUsage(300_000, 0)) }), 0.75 + 0.015)
})

function usageField(usage: HubUsage | undefined): { usage?: HubUsage } {
  return usage === undefined ? {} : { usage }
}

test('DeepSeek counts cache hits in fields of its own', () => {
  const usage = usageIn('openai-chat', {
    id: '1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 100,
      prompt_cache_hit_tokens: 600,
      prompt_cache_miss_tokens: 400,
    },
  })
  const cost = costOf({ url: 'https://api.deepseek.com', model: 'deepseek-chat', ...usageField(usage) })
  // 400 × $0.27 + 600 × $0.07 + 100 × $1.10, per million
  expectUsd(cost, 0.000108 + 0.000042 + 0.00011)
})

const SOME = { input_tokens: 1000, output_tokens: 100 }
const OPENAI = 'https://api.openai.com/v1'

test.each([
  ['a model at an address of nobody in particular', { url: 'http://127.0.0.1:11434/v1', model: 'gpt-5.1' }],
  ['a model that is not on its provider’s list', { url: OPENAI, model: 'gpt-99-unheard-of' }],
  ['another provider’s model', { url: OPENAI, model: 'claude-opus-5' }],
  [
    'an address that only looks like one',
    { url: 'https://example.com/https://api.openai.com', model: 'gpt-5.1' },
  ],
  ['no address', { url: 'nonsense', model: 'gpt-5.1' }],
])('%s has no price', (_what, call) => {
  expect(costOf({ ...call, usage: SOME })).toEqual({ unknown: expect.stringContaining('up') as string })
})

test('an estimate has no price, and neither has an answer without a count', () => {
  const call = { url: OPENAI, model: 'gpt-5.1' }
  expectUsd(costOf({ ...call, usage: SOME }), 0.00225)
  expect(costOf({ ...call, usage: SOME, isEstimated: true }).unknown).toContain('estimate')
  expect(costOf(call).unknown).toContain('did not say')
})

test.each([
  [{ service_tier: 'priority' }, 'the service tier priority'],
  [{ service_tier: 'batch' }, 'the service tier batch'],
  [{ speed: 'fast' }, 'the speed fast'],
  [{ inference_geo: 'us' }, 'inference in us'],
] as const)('a usage of %o is not priced by a list for another service', (special, words) => {
  const call = { url: 'https://api.anthropic.com', model: 'claude-opus-5', usage: { ...SOME, ...special } }
  expect(costOf(call).unknown).toContain(words)
})

test('neither is a request that asks for another tier; the usual names of the usual one are', () => {
  const call = { url: OPENAI, model: 'gpt-5.1', usage: SOME }
  expect(costOf({ ...call, tier: 'flex' }).unknown).toContain('flex')
  for (const tier of ['auto', 'default', 'standard_only']) expectUsd(costOf({ ...call, tier }), 0.00225)
})

test('searches are paid by the piece, and where the list has no price for them, all is unknown', () => {
  const searched = { ...SOME, server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 } }
  const claude = { url: 'https://api.anthropic.com', model: 'claude-opus-5', usage: searched }
  expectUsd(costOf(claude), 1000 * 5e-6 + 100 * 25e-6 + 3 * 0.01)
  const gemini = 'https://generativelanguage.googleapis.com/v1beta'
  expect(costOf({ url: gemini, model: 'gemini-2.5-pro', usage: searched }).unknown).toContain('no price')
})

test('prices of one’s own count more than any list, by upstream and by pattern of the model', () => {
  const overrides = {
    up: {
      'gpt-5*': { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 4, cacheWrite1h: 8, reasoning: 10 },
      '*': { input: 0, output: 0 },
    },
  }
  const usage = {
    input_tokens: 1e6,
    cache_read_input_tokens: 1e6,
    cache_creation_input_tokens: 2e6,
    cache_creation: { ephemeral_1h_input_tokens: 1e6, ephemeral_5m_input_tokens: 1e6 },
    output_tokens: 2e6,
    output_tokens_details: { thinking_tokens: 1e6 },
  }
  const options = { ...AT, overrides }
  const cost = costOf({ url: OPENAI, model: 'gpt-5.1', usage }, options)
  expectUsd(cost, 1 + 0.5 + 4 + 8 + 2 + 10)
  expect(cost.savedByCache).toBeCloseTo(4 - 13.5, 10)
  expectUsd(costOf({ url: 'http://127.0.0.1:1', model: 'llama', usage }, options), 0)
  expectUsd(
    costOf({ url: OPENAI, model: 'gpt-5.1', usage }, { ...AT, overrides: { other: {} } }),
    3.75 + 0.125 + 20,
  )
})

test('what is not said of a cache or of reasoning costs as the rest does', () => {
  const usage = {
    input_tokens: 1e6,
    cache_read_input_tokens: 1e6,
    cache_creation_input_tokens: 1e6,
    output_tokens: 1e6,
    output_tokens_details: { thinking_tokens: 5e5 },
  }
  const cost = costOf(
    { url: OPENAI, model: 'x', usage },
    { overrides: { up: { x: { input: 1, output: 10 } } } },
  )
  expectUsd(cost, 3 + 10)
  expect(cost.savedByCache).toBe(0)
})
