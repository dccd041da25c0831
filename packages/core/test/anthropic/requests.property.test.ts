import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { ClientCall, EncodedRequest } from '../../src/dialects/dialect.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { registry } from '../../src/dialects/registry.ts'
import { HubError } from '../../src/hub/error.ts'
import { isJsonObject } from '../../src/json/json-object.ts'
import { type ClientBody, clientBody } from '../requests/arbitraries.ts'
import { anthropicFaults } from './check-body.ts'

const SEED = 20_261_118
const RUNS = 250

const MODELS = [
  'claude-3-5-haiku-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-opus-4-20250514',
  'claude-opus-4-1',
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-5',
  'claude-opus-4-6',
  'claude-opus-4-7',
  'claude-opus-4-8',
  'claude-sonnet-5',
  'claude-opus-5-5',
  'claude-fable-5-1',
] as const

/** The dialects whose clients can be asked for a request: those that we can also write. */
const CLIENTS = registry.all.filter(({ client, upstream }) => client !== undefined && upstream !== undefined)

/** A client's call; some dialects name the model in the path. */
function callWith(body: unknown): ClientCall {
  return plainCall(body, { params: { model: 'm' } })
}

/** A request of a client of any dialect, made by our own encoder of that dialect, on its way to Anthropic. */
function sent(body: ClientBody, name: string, model: string): EncodedRequest | undefined {
  const client = registry.client(name)
  const upstream = registry.upstream(name)
  try {
    const { request } = anthropic.client.decodeRequest({ body })
    const wire = upstream.encodeRequest(request, { model: body.model, profile: upstream.defaultProfile })
    const { request: decoded } = client.decodeRequest(callWith(JSON.parse(JSON.stringify(wire.body))))
    return anthropic.upstream.encodeRequest(decoded, {
      model,
      profile: anthropic.upstream.defaultProfile,
      client,
    })
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(HubError)
    return undefined
  }
}

test.each(CLIENTS)('what a client of $name sends is legal for every Claude model', ({ name }) => {
  let checked = 0
  fc.assert(
    fc.property(clientBody, fc.constantFrom(...MODELS), (body, model) => {
      const encoded = sent(body, name, model)
      if (encoded === undefined) return
      checked += 1
      expect(anthropicFaults(encoded.body), JSON.stringify(encoded.body)).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(checked).toBeGreaterThan(RUNS / 2)
})

/** The body without its marks. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).filter(([key]) => key !== 'cache_control')
  return Object.fromEntries(fields.map(([key, item]) => [key, unmarked(item)]))
}

test.each(CLIENTS.filter(({ client }) => client?.marksCaches !== true))(
  'marks for a client of $name are all that differs between a conversation and its beginning',
  ({ name }) => {
    const client = registry.client(name)
    const turns = fc.array(
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      { minLength: 3 },
    )
    fc.assert(
      fc.property(turns, (texts) => {
        const bodyOf = (count: number): EncodedRequest['body'] => {
          const { request } = client.decodeRequest(callWith(conversation(name, texts.slice(0, count))))
          const target = { model: 'claude-opus-5-5', profile: anthropic.upstream.defaultProfile, client }
          return anthropic.upstream.encodeRequest(request, target).body
        }
        const whole = unmarked(bodyOf(texts.length)) as EncodedRequest['body']
        for (let count = 1; count < texts.length; count += 2) {
          const start = JSON.stringify(unmarked(bodyOf(count))).slice(0, -2)
          expect(JSON.stringify(whole).startsWith(start)).toBe(true)
        }
      }),
      { numRuns: 50, seed: SEED },
    )
  },
)

/** A conversation of texts in the client's own form, written by our encoder of it. */
function conversation(name: string, texts: readonly string[]): unknown {
  const upstream = registry.upstream(name)
  const messages = texts.map((content, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }))
  const tools = [{ name: 'Read', input_schema: { type: 'object' as const, properties: {} } }]
  const request = { model: 'm', max_tokens: 5, system: 'Be brief.', tools, messages }
  return upstream.encodeRequest(request, { model: 'm', profile: upstream.defaultProfile }).body
}
