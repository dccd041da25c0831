import { expect, test } from 'vitest'
import { noted, requestWith } from '../../../test/requests/encode.ts'
import type { EncodedRequest } from '../dialect.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { defaultProfile } from './profile.ts'

const ADAPTIVE = { type: 'adaptive' }
const SHOWN = { type: 'adaptive', display: 'summarized' }
const OFF = { type: 'disabled' }
const budget = (budget_tokens: number): object => ({ type: 'enabled', budget_tokens })

function encode(model: string, fields: object): EncodedRequest {
  const { request } = decodeRequest({ body: requestWith({ max_tokens: 50_000, ...fields }) })
  return encodeRequest(request, { model, profile: defaultProfile })
}

interface Wish {
  readonly thinking?: object
  readonly effort?: string
}

interface Case extends Wish {
  readonly model: string
  readonly sent: Wish
  readonly notes?: readonly string[]
}

const CHANGED = 'thinking_changed thinking'

test.each<Case>([
  // Models that take nothing but a budget.
  { model: 'claude-sonnet-4-5', thinking: budget(9000), sent: { thinking: budget(9000) } },
  { model: 'claude-sonnet-4-5', thinking: ADAPTIVE, sent: { thinking: budget(25_000) }, notes: [CHANGED] },
  {
    model: 'claude-haiku-4-5-20251001',
    thinking: ADAPTIVE,
    effort: 'low',
    sent: { thinking: budget(4096) },
    notes: [CHANGED],
  },
  {
    model: 'claude-sonnet-4-5',
    thinking: budget(60_000),
    sent: { thinking: budget(25_000) },
    notes: ['thinking_changed thinking.budget_tokens'],
  },
  { model: 'claude-sonnet-4-5', effort: 'high', sent: {}, notes: ['effort_dropped output_config.effort'] },
  // A budget and an effort.
  {
    model: 'claude-opus-4-5',
    thinking: ADAPTIVE,
    effort: 'max',
    sent: { thinking: budget(25_000), effort: 'high' },
    notes: [CHANGED, 'effort_changed output_config.effort'],
  },
  // Both forms.
  {
    model: 'claude-opus-4-6',
    thinking: ADAPTIVE,
    effort: 'max',
    sent: { thinking: ADAPTIVE, effort: 'max' },
  },
  { model: 'claude-sonnet-4.6', thinking: budget(9000), sent: { thinking: budget(9000) } },
  // Nothing but adaptive thinking.
  {
    model: 'claude-opus-4-7',
    thinking: budget(9000),
    sent: { thinking: SHOWN, effort: 'medium' },
    notes: [CHANGED],
  },
  {
    model: 'claude-sonnet-5',
    thinking: budget(9000),
    effort: 'xhigh',
    sent: { thinking: SHOWN, effort: 'xhigh' },
    notes: [CHANGED],
  },
  {
    model: 'claude-sonnet-5',
    thinking: OFF,
    effort: 'max',
    sent: { thinking: OFF, effort: 'high' },
    notes: ['effort_changed output_config.effort'],
  },
  // These always think.
  { model: 'claude-opus-5-5', thinking: OFF, sent: { effort: 'low' }, notes: [CHANGED] },
  {
    model: 'anthropic.claude-fable-5-1',
    thinking: ADAPTIVE,
    effort: 'high',
    sent: { thinking: ADAPTIVE, effort: 'high' },
  },
  // These never do.
  {
    model: 'claude-3-5-haiku-20241022',
    thinking: ADAPTIVE,
    effort: 'high',
    sent: {},
    notes: ['thinking_off thinking', 'effort_dropped output_config.effort', 'max_tokens_changed max_tokens'],
  },
  { model: 'claude-3-5-haiku-20241022', thinking: OFF, sent: {}, notes: ['max_tokens_changed max_tokens'] },
  // Nothing is known of these.
  {
    model: 'some-model',
    thinking: budget(60_000),
    effort: 'max',
    sent: { thinking: budget(60_000), effort: 'max' },
  },
])(
  '$model, asked for $thinking and $effort, is sent $sent',
  ({ model, thinking, effort, sent, notes = [] }) => {
    const encoded = encode(model, {
      ...(thinking && { thinking }),
      ...(effort && { output_config: { effort } }),
    })
    const { body } = encoded
    expect(body['thinking']).toEqual(sent.thinking)
    expect(body['output_config']).toEqual(sent.effort === undefined ? undefined : { effort: sent.effort })
    expect(noted(encoded).toSorted()).toEqual([...notes].toSorted())
  },
)

const LOOP = [
  { role: 'user', content: 'Go.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] },
]

test('a model that thinks by budget does not where the latest calls came without thinking', () => {
  const encoded = encode('claude-sonnet-4-5', { thinking: ADAPTIVE, messages: LOOP })
  expect(encoded.body['thinking']).toEqual(OFF)
  expect(noted(encoded)).toEqual(['thinking_off thinking'])
  expect(encode('claude-sonnet-5', { thinking: ADAPTIVE, messages: LOOP }).body['thinking']).toEqual(ADAPTIVE)
})

test('the user’s next words begin a turn in which it may think again', () => {
  const messages = [...LOOP, { role: 'user', content: 'And now?' }]
  expect(encode('claude-sonnet-4-5', { thinking: budget(2000), messages }).body['thinking']).toEqual(
    budget(2000),
  )
})

test('a call that is forced goes before thinking', () => {
  const tools = [{ name: 'Read', input_schema: { type: 'object' } }]
  const fields = { thinking: ADAPTIVE, tools, tool_choice: { type: 'any' } }
  expect(encode('claude-sonnet-5', fields).body['thinking']).toEqual(OFF)
  expect(encode('claude-opus-5-5', fields).body['thinking']).toEqual(ADAPTIVE)
})

test('nothing is cleared of a conversation that is not thought about', () => {
  const edits = [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }]
  const fields = { thinking: ADAPTIVE, context_management: { edits } }
  expect(encode('claude-3-5-haiku-latest', fields).body['context_management']).toEqual({
    edits: edits.slice(1),
  })
  expect(encode('claude-sonnet-5', fields).body['context_management']).toEqual({ edits })
})

test('effort that a system message sets counts where the message cannot stay', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [], output_config: { effort: 'low' } },
  ]
  const old = encode('claude-opus-4-5', { messages }).body
  expect(old).toMatchObject({ output_config: { effort: 'low' }, messages: [messages[0]] })
  const { body } = encode('claude-opus-5-5', { messages })
  expect(body['output_config']).toBeUndefined()
  expect(body['messages']).toEqual(messages)
})
