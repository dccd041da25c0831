import { expect, test } from 'vitest'
import { translateAnswer } from '../../exchange/translation.ts'
import type { HubError } from '../../hub/error.ts'
import { anthropic } from '../anthropic/index.ts'
import { plainCall } from '../plain-call.ts'
import { plainReply } from '../plain-reply.ts'
import { openaiResponses } from './index.ts'

interface Told {
  readonly output: string
  readonly notes: readonly string[]
  readonly failure: HubError | undefined
}

/** What a client has after these events, and what is known of the answer so far. */
function told(events: readonly object[]): Told {
  const { upstream } = openaiResponses
  const { client } = anthropic
  const body = { model: 'm', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const translation = translateAnswer({
    upstream,
    client,
    clientReply: client.decodeRequest(plainCall(body)).reply,
    reply: plainReply('m', upstream.defaultProfile),
    messageId: 'msg_test',
    inputEstimate: 1,
  })
  const sse = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const written = translation.pushRaw(new TextEncoder().encode(sse))
  const output = typeof written === 'string' ? written : new TextDecoder().decode(written)
  const notes = translation.notes.map(({ code, path }) => `${code} ${path}`)
  return { output, notes, failure: translation.failure }
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const words = (index: number): object[] => [
  { type: 'response.output_item.added', output_index: index, item: MESSAGE },
  {
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    output_index: index,
    content_index: 0,
    delta: 'Four.',
  },
]
const WORDS = words(0)

// Perplexity tells of its searches before the first item; some servers begin parts of an item that never began.
test.each<[string, object]>([
  ['reasoning.started', { thought: 'I will look that up.' }],
  ['reasoning.search_queries', { queries: ['two and two'] }],
  ['mcp_list_tools.in_progress', {}],
  ['content_part.added', { output_index: 0, content_index: 0, part: { type: 'output_text', text: '' } }],
])('an event of no item keeps nothing waiting: %s', (type, fields) => {
  const { output, notes } = told([{ type: `response.${type}`, ...fields }, ...WORDS])
  expect(output).toContain('"text":"Four."')
  expect(notes).toEqual([`event_ignored ${type}`])
})

test('words of an item that never began are told at once', () => {
  const { output, notes } = told(WORDS.slice(1))
  expect(output).toContain('"text":"Four."')
  expect(notes).toEqual([])
})

test('an end of another kind is not that of the latest item', () => {
  const call = {
    id: 'fc_1',
    type: 'function_call',
    call_id: 'call_1',
    name: 'search_web',
    arguments: '{"q":"2+2"}',
  }
  const item = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Four.' }] }
  const { output } = told([
    { type: 'response.output_item.added', item: { ...call, arguments: '' } },
    { type: 'response.output_item.done', item: { type: 'search_results', results: [] } },
    { type: 'response.output_item.done', item: call },
    { type: 'response.output_item.done', item },
  ])
  expect(output).toContain(JSON.stringify(call.arguments))
  expect(output).toContain('"text":"Four."')
})

test('an error beside the answer has the words of the failure', () => {
  const error = { code: 429, type: 'rate_limit_exceeded', message: 'Too many requests.' }
  const { failure } = told([...WORDS, { type: 'response.failed', error }])
  expect(failure).toMatchObject({ kind: 'rate_limit_error', message: 'Too many requests.' })
})

const THOUGHT = { id: 'rs_1', type: 'reasoning', summary: [] }
const BEGINS = { type: 'response.output_item.added', output_index: 0, item: THOUGHT }
const PLACE = { item_id: 'rs_1', output_index: 0 }
const PLAIN = { type: 'response.reasoning_text.delta', ...PLACE, delta: 'Add.' }
const SUMMARY = { type: 'response.reasoning_summary_text.delta', ...PLACE, delta: 'Add.' }
const SUMMED = { type: 'response.reasoning_summary_text.done', ...PLACE, text: 'Add.' }
const LATER = words(1)

// OpenRouter ends a thought behind the message, others never do.
test.each<[string, object[]]>([
  ['in plain words', [BEGINS, PLAIN]],
  ['in plain words that never began', [PLAIN]],
  ['whose summary is over', [BEGINS, SUMMARY, SUMMED]],
  ['that has the index of what follows', [{ ...PLAIN, output_index: 1 }]],
])('what follows a thought does not wait for its end: one %s', (_, events) => {
  const { output } = told([...events, ...LATER])
  expect(output.indexOf('"thinking":"Add."')).toBeGreaterThan(0)
  expect(output.indexOf('"text":"Four."')).toBeGreaterThan(output.indexOf('"thinking":"Add."'))
})

test('a thought that goes on is told behind what follows it', () => {
  const more = { ...PLAIN, delta: 'Carry.' }
  const thought = { ...THOUGHT, content: [{ type: 'reasoning_text', text: 'Add.Carry.' }] }
  const { output, notes } = told([
    BEGINS,
    PLAIN,
    ...LATER,
    more,
    { type: 'response.output_item.done', output_index: 1, item: MESSAGE },
    { type: 'response.reasoning_text.done', ...PLACE, text: 'Add.Carry.' },
    { type: 'response.output_item.done', output_index: 0, item: thought },
  ])
  expect(output).toMatch(/"thinking":"Add\."[^]*"text":"Four\."[^]*"thinking":"Carry\."/)
  expect(output).not.toContain('Add.Carry.')
  expect(notes).toEqual([])
})

test('what follows a summary that goes on waits for its proof', () => {
  const item = { ...THOUGHT, summary: [{ type: 'summary_text', text: 'Add.' }], encrypted_content: 'gAAA' }
  const end = { type: 'response.output_item.done', output_index: 0, item }
  const { output } = told([BEGINS, SUMMARY, ...LATER, end])
  expect(output).toMatch(/"signature_delta"[^]*"text":"Four\."/)
})

test('what nothing is told of keeps nothing waiting', () => {
  const item = { id: 'ig_1', type: 'image_generation_call' }
  expect(told([{ ...BEGINS, item }, ...LATER]).output).toContain('"text":"Four."')
})

test('pieces without any place are told apart by their kinds', () => {
  const { output } = told([
    { type: 'response.reasoning_text.delta', delta: 'Add.' },
    { type: 'response.output_text.delta', delta: 'Fo' },
    { type: 'response.output_text.delta', delta: 'ur.' },
  ])
  expect(output).toMatch(/"thinking":"Add\."[^]*"text":"Fo"[^]*"text":"ur\."/)
})

test('a thought that ends late is not told again', () => {
  const summary = [{ type: 'summary_text', text: 'Add.' }]
  const end = {
    type: 'response.output_item.done',
    output_index: 0,
    item: { ...THOUGHT, summary, encrypted_content: 'gAAA' },
  }
  const { output, notes } = told([SUMMARY, SUMMED, ...LATER, SUMMED, end])
  expect(output.split('"thinking":"Add."')).toHaveLength(2)
  expect(notes).toEqual(['item_ignored output.reasoning'])
})

test.each(['invalid_prompt', 'invalid_image_url', 'image_content_policy_violation', 'bio_policy'])(
  'a request that is refused in the stream is not asked again: %s',
  (code) => {
    const response = { status: 'failed', error: { code, message: 'No.' } }
    expect(told([{ type: 'response.failed', response }]).failure).toMatchObject({
      kind: 'invalid_request_error',
      status: 400,
    })
  },
)
