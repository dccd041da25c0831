import { expect, test } from 'vitest'
import { outlineOf, type AnswerOutline } from '../../../test/streams/answer.ts'
import { streamFixtures } from '../../../test/streams/fixtures.ts'
import { chatTranslator, messagesTranslator, toBytes, translate } from '../../../test/streams/translator.ts'

const event = (data: { readonly type: string; readonly [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}   \n\n`
const PING = event({ type: 'ping' })
const START = event({
  type: 'message_start',
  message: {
    id: 'msg_theirs',
    model: 'theirs',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1, cache_read_input_tokens: 5 },
  },
})
const begin = (index: number, content_block: object): string =>
  event({ type: 'content_block_start', index, content_block })
const delta = (index: number, value: object): string =>
  event({ type: 'content_block_delta', index, delta: value })
const stop = (index: number): string => event({ type: 'content_block_stop', index })
const end = (reason: string, usage: object = { output_tokens: 4 }): string =>
  event({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage }) +
  event({ type: 'message_stop' })
const block = (index: number, head: object, ...deltas: object[]): string =>
  begin(index, head) + deltas.map((value) => delta(index, value)).join('') + stop(index)

const read = (body: string): AnswerOutline => outlineOf(messagesTranslator(), body)
const TEXT = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' })

test.for(streamFixtures())('$name goes through its own dialect unchanged', ({ bytes, setup }) => {
  // Ids that look like ours would be unwrapped when they come back, so those are wrapped once more.
  const once = translate(chatTranslator(setup), bytes).replaceAll(/"hyd(?=\d+_)/g, '"call')
  const again = translate(messagesTranslator(), once)
  expect(unwrapped(again)).toBe(once)
})

/** An id that another Hydra made is wrapped once more, so that this one takes only its own wrapping off again. */
function unwrapped(stream: string): string {
  return stream.replaceAll(/"hyd\d+_([\w-]+)"/g, (id, carried: string) => {
    const original = Buffer.from(carried, 'base64url').toString()
    return original.startsWith('hyd') ? JSON.stringify(original) : id
  })
}

test('text, thinking and calls are passed on under our id', () => {
  const body =
    START +
    PING +
    block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm' },
      { type: 'signature_delta', signature: 's' },
    ) +
    block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }) +
    block(
      2,
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} },
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"a":1}' },
    ) +
    end('tool_use')
  const { blocks, stop: reason, usage } = read(body)
  expect(blocks).toEqual(['thinking Hm #s', 'text Hi', 'toolu_1 Read {"a":1}'])
  expect([reason, usage]).toEqual(['tool_use', [9, 4, 5, 0]])
})

test('blocks of the same kind stay apart', () => {
  const body =
    START +
    TEXT +
    block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'there' }) +
    end('end_turn')
  expect(read(body).blocks).toEqual(['text Hi', 'text there'])
})

test('a thinking block that is all signature is kept', () => {
  const body =
    START +
    block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'signature_delta', signature: 's' }) +
    end('end_turn')
  expect(read(body).blocks).toEqual(['thinking  #s'])
})

test('a block that begins with its content is taken whole', () => {
  const body =
    START +
    block(0, { type: 'text', text: 'Hi' }) +
    block(1, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { a: 1 } }) +
    block(2, { type: 'redacted_thinking', data: 'x' }) +
    end('tool_use')
  expect(read(body).blocks).toEqual(['text Hi', 'toolu_1 Read {"a":1}', 'redacted_thinking'])
})

test('a citation before the text is kept', () => {
  const citation = {
    type: 'web_search_result_location',
    url: 'u',
    title: 't',
    encrypted_index: '',
    cited_text: 'c',
  }
  const body =
    START +
    block(
      0,
      { type: 'text', text: '', citations: [] },
      { type: 'citations_delta', citation },
      { type: 'text_delta', text: 'Hi' },
    ) +
    end('end_turn')
  const output = translate(messagesTranslator(), body)
  expect(output).toContain(JSON.stringify({ type: 'citations_delta', citation }))
  expect(read(body).error).toBeUndefined()
})

test('the last usage counts, and counts that are missing or null say nothing', () => {
  const body =
    START + TEXT + end('end_turn', { output_tokens: 7, input_tokens: null, cache_read_input_tokens: 6 })
  expect(read(body).usage).toEqual([9, 7, 6, 0])
})

test('an event without a type is known by its name', () => {
  const hooks = 'event: hook_results\ndata: {"hook_results":{"before_request_hooks":[]}}\n\n'
  const untyped = (START + TEXT + end('end_turn')).replaceAll(/"type":"(?:message|content)_\w+",?/g, '')
  const { blocks, notes } = read(hooks + untyped)
  expect([blocks, notes]).toEqual([['text Hi'], ['event_ignored']])
})

test('an event of an unknown type is left out with a note', () => {
  const { blocks, notes } = read(START + event({ type: 'thread_update' }) + TEXT + end('end_turn'))
  expect([blocks, notes]).toEqual([['text Hi'], ['event_ignored']])
})

test.for([
  ['before the end', START + TEXT],
  ['before the stop', START + TEXT + end('end_turn').split('\n\n')[0] + '\n\n'],
  ['in a block', START + begin(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: 'H' })],
  ['at once', ''],
] as const)('F12 a stream that breaks off %s is an error', ([, body]) => {
  expect(read(body).error).toMatch(
    /^overloaded_error: Overloaded: anthropic: the stream broke off after \d events$/,
  )
})

test('F13 an error event is that error', () => {
  const failed = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  expect(read(START + TEXT + failed).error).toBe('overloaded_error: Overloaded')
  const { error, translator } = read(failed)
  expect([error, translator.started, translator.failure?.status]).toEqual([
    'overloaded_error: Overloaded',
    false,
    529,
  ])
})

test.for([
  ['not JSON', 'data: {"type":\n\n'],
  ['no object', 'data: 5\n\n'],
  ['without a type', 'data: {}\n\n'],
  ['a start without a message', event({ type: 'message_start' })],
  ['a block without a head', event({ type: 'content_block_start', index: 0 })],
  ['input outside of a call', delta(0, { type: 'input_json_delta', partial_json: '{}' })],
  ['a stop without a reason', event({ type: 'message_stop' })],
] as const)('an event that is %s is an error and not a throw', ([, body]) => {
  expect(read(START + body).error).toMatch(/^overloaded_error: Overloaded: /)
})

test('any split gives the same output', () => {
  const bytes = toBytes(START + PING + TEXT + end('end_turn'))
  const whole = translate(messagesTranslator(), bytes)
  for (let at = 1; at < bytes.length; at += 1) {
    expect(translate(messagesTranslator(), bytes.subarray(0, at), bytes.subarray(at))).toBe(whole)
  }
})

test.for([
  [
    'a message that does not say why it ended',
    START + TEXT + event({ type: 'message_delta', delta: {} }) + event({ type: 'message_stop' }),
    'without a stop_reason',
  ],
  ['a call without an id', START + begin(0, { type: 'tool_use', name: 'T', input: {} }), 'tool_use.id'],
  ['a call without a name', START + begin(0, { type: 'tool_use', id: 't1', input: {} }), 'tool_use.name'],
  [
    'a block that begins twice',
    START +
      begin(0, { type: 'tool_use', id: 't1', name: 'T', input: {} }).repeat(2) +
      stop(0) +
      end('tool_use'),
    'block 0 began twice',
  ],
] as const)('%s is an error, never a whole answer', ([_name, body, reason]) => {
  const out = translate(messagesTranslator(), toBytes(body))
  expect(out).toContain('event: error')
  expect(out).toContain(reason)
  expect(out).not.toContain('event: message_stop')
})

test('an event that nests without an end is refused in words', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const call = `{"type":"tool_use","id":"a","name":"b","input":{"a":${deep}}}`
  const translator = messagesTranslator()
  const nested = `data: {"type":"content_block_start","index":0,"content_block":${call}}\n\n`
  translate(translator, START + nested)
  expect(translator.failure?.message).toBe(
    'anthropic: expected an event to be nested at most 512 deep, got more (event 2)',
  )
})

test('the input of a call that Anthropic runs is kept up to a bound', () => {
  const translator = messagesTranslator()
  const call = { type: 'mcp_tool_use', id: 'a', name: 'b', server_name: 'c', input: {} }
  const piece = delta(0, { type: 'input_json_delta', partial_json: 'x'.repeat(1024 * 1024) })
  translate(translator, START + begin(0, call), ...Array.from({ length: 17 }, () => piece))
  expect(translator.failure?.message).toBe(
    'anthropic: expected input of at most 16777216 characters, got more',
  )
})

test('input that comes with the beginning of a call and once more in pieces counts once', () => {
  const call = { type: 'tool_use', id: 't1', name: 'T', input: { a: 1 } }
  const both = block(0, call, { type: 'input_json_delta', partial_json: '{"a":1}' })
  expect(read(START + both + end('tool_use')).blocks).toEqual(['t1 T {"a":1}'])
  expect(read(START + block(0, call) + end('tool_use')).blocks).toEqual(['t1 T {"a":1}'])
})

test('input that comes with the beginning of a call as text is no empty object', () => {
  const call = { type: 'tool_use', id: 't1', name: 'T', input: '{"a":1}' }
  expect(read(START + block(0, call) + end('tool_use')).blocks).toEqual(['t1 T {"a":1}'])
  const never = START + begin(0, call) + end('tool_use')
  expect(read(never).blocks).toEqual(['t1 T {"a":1}'])
})

const call = (index: number): string =>
  begin(index, { type: 'tool_use', id: `t${index}`, name: 'T', input: {} })
const piece = (index: number, partial_json: string): string =>
  delta(index, { type: 'input_json_delta', partial_json })

test('pieces of calls by turns stay in their calls, and the calls in their order', () => {
  const begun = call(0) + piece(0, '{"a"') + call(1) + call(2) + piece(1, '{"b"') + piece(2, '{"c":3}')
  const rest = piece(0, ':1}') + stop(2) + piece(1, ':2}') + stop(0) + stop(1)
  const told = ['t0 T {"a":1}', 't1 T {"b":2}', 't2 T {"c":3}']
  expect(read(START + begun + rest + end('tool_use')).blocks).toEqual(told)
  const unstopped = begun + piece(0, ':1}') + piece(1, ':2}')
  expect(read(START + unstopped + end('tool_use')).blocks).toEqual(told)
  expect(read(START + begun + rest).error).toContain('broke off')
})

test('a block behind a call that was never stopped comes at once', () => {
  const translator = messagesTranslator()
  const text = begin(1, { type: 'text', text: '' }) + delta(1, { type: 'text_delta', text: 'Hi' })
  const out = translator.push(toBytes(START + call(0) + piece(0, '{}') + text))
  expect(out).toContain('"text":"Hi"')
})

test('a piece of a text inside of another block is an error', () => {
  const texts = [0, 1].map((index) => begin(index, { type: 'text', text: '' })).join('')
  const { error } = read(START + texts + delta(0, { type: 'text_delta', text: 'Hi' }) + end('end_turn'))
  expect(error).toContain('a piece of block 0 came inside of block 1')
})

test('more than can wait for the end of a call is an error', () => {
  const errorOf = (waiting: string): string | undefined => read(START + call(0) + waiting).error
  const begun = call(1) + piece(1, 'x')
  expect(errorOf(call(1) + piece(1, 'x').repeat(100_000))).toContain('at most 100000 events inside of a call')
  expect(errorOf(begun + piece(1, 'x'.repeat(6e6)).repeat(3))).toContain('at most 16777216 characters inside')
  const calls = Array.from({ length: 101 }, (_, index) => call(index + 1))
  expect(errorOf(calls.join(''))).toContain('at most 100 blocks inside of a call')
})

test('usage that is told once more behind the reason does not take the reason away', () => {
  const more = event({ type: 'message_delta', usage: { output_tokens: 7 } })
  const [reason, over] = end('max_tokens').split(/(?=event: message_stop)/)
  const { stop: told, usage } = read(`${START}${TEXT}${reason}${more}${over}`)
  expect([told, usage]).toEqual(['max_tokens', [9, 7, 5, 0]])
})

test.for([
  ['without a type', 'data: {"error":{"type":"overloaded_error","message":"Busy"}}\n\n'],
  ['by the name of its event', 'event: error\ndata: {"message":"Busy","code":503}\n\n'],
] as const)('an error %s keeps its words', ([, body]) => {
  const { error, translator } = read(START + TEXT + body)
  expect([error, translator.failure?.kind]).toEqual([
    'overloaded_error: Overloaded: Busy',
    'overloaded_error',
  ])
})
