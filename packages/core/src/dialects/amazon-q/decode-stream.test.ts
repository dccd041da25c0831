import { expect, test } from 'vitest'
import {
  bodyOf,
  callEvent,
  endEvent,
  exceptionFrame,
  frame,
  joinedBytes,
  textEvent,
  thinkingEvent,
  wholeCall,
} from '../../../test/amazon-q/frames.ts'
import { answerOf, turnTranslator } from '../../../test/amazon-q/translator.ts'
import { inputOf, type ReadBlock, readStream } from '../../../test/streams/grammar.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import { toBytes, translate } from '../../../test/streams/translator.ts'

function linesOf(blocks: readonly ReadBlock[]): unknown[] {
  return blocks.map((block) => {
    const { start, content } = block
    return start.type === 'tool_use' ? [start.id, start.name, inputOf(block)] : [start.type, content]
  })
}

test('text in pieces becomes one block, and the metadata ends the message', () => {
  const { blocks, end, translator } = answerOf([
    ['messageMetadataEvent', { conversationId: 'c', utteranceId: 'u' }],
    textEvent('Hel'),
    textEvent('lo.'),
    ['contextUsageEvent', { contextUsagePercentage: 1.5 }],
    endEvent(),
  ])
  expect(linesOf(blocks)).toEqual([['text', 'Hello.']])
  expect(end?.delta.stop_reason).toBe('end_turn')
  expect(end?.usage).toMatchObject({ input_tokens: 11, output_tokens: 7, cache_read_input_tokens: 3 })
  expect(translator.notes).toEqual([])
})

test('text streams as it comes', () => {
  const translator = turnTranslator()
  expect(translator.push(bodyOf(textEvent('Hel')))).toContain('"text":"Hel"')
  expect(translator.push(bodyOf(textEvent('lo.')))).toContain('"text":"lo."')
})

test('a call in pieces streams as it comes', () => {
  const translator = turnTranslator()
  translator.push(bodyOf(callEvent('t1', {}), callEvent('t1', { input: '{"pa' })))
  expect(translator.push(bodyOf(callEvent('t1', { input: 'th":"x"}' })))).toContain('th\\":\\"x\\"}')
})

test('like pieces of a call that has to wait are not taken for the one that streams', () => {
  const translator = turnTranslator()
  const push = (id: string, input: string): string => translator.push(bodyOf(callEvent(id, { input })))
  expect(push('t1', '{"a":')).toContain('"partial_json"')
  const waiting = ['{"b":"', 'x', 'y', '"}'].map((input) => push('t2', input))
  expect(waiting).toEqual(['', '', '', ''])
  expect(['1', '2'].map((input) => push('t1', input)).join('')).toMatch(
    /"partial_json":"1".*"partial_json":"2"/s,
  )
})

test('interleaved calls become one block after the other, in the order in which they began', () => {
  const { blocks, end } = answerOf([
    textEvent('Look:'),
    callEvent('t1', { input: '{"a"' }),
    callEvent('t2', { input: '{"b"' }, 'Bash'),
    callEvent('t1', { input: ':1}' }),
    callEvent('t2', { input: ':2}' }, 'Bash'),
    callEvent('t2', { stop: true }, 'Bash'),
    callEvent('t1', { stop: true }),
    endEvent('TOOL_USE'),
  ])
  expect(linesOf(blocks)).toEqual([
    ['text', 'Look:'],
    ['t1', 'Read', { a: 1 }],
    ['t2', 'Bash', { b: 2 }],
  ])
  expect(end?.delta.stop_reason).toBe('tool_use')
})

test('text and thinking that arrive while a call is being written wait for its end', () => {
  const { blocks } = answerOf([
    callEvent('t1', { input: '{"a":' }),
    textEvent('after '),
    thinkingEvent('hm'),
    callEvent('t1', { input: '1}', stop: true }),
    textEvent('more'),
    endEvent(),
  ])
  expect(linesOf(blocks)).toEqual([
    ['t1', 'Read', { a: 1 }],
    ['text', 'after '],
    ['thinking', 'hm'],
    ['text', 'more'],
  ])
})

test('many pieces that wait for a call become one', () => {
  const { blocks, events } = answerOf([
    callEvent('t1', { input: '{}' }),
    ...Array.from('waiting', textEvent),
    callEvent('t1', { stop: true }),
    endEvent('TOOL_USE'),
  ])
  expect(linesOf(blocks)[1]).toEqual(['text', 'waiting'])
  expect(events.filter(({ type }) => type === 'content_block_delta')).toHaveLength(2)
})

test('a call without input has an empty object for one', () => {
  const { blocks } = answerOf([callEvent('t1', {}), callEvent('t1', { stop: true }), endEvent('TOOL_USE')])
  expect(linesOf(blocks)).toEqual([['t1', 'Read', {}]])
})

test('input that is no JSON object is passed on with a note', () => {
  const { blocks, translator } = answerOf([
    callEvent('t1', { input: '{"a":}' }),
    callEvent('t1', { stop: true }),
    endEvent('TOOL_USE'),
  ])
  expect(blocks[0]?.content).toBe('{"a":}')
  expect(translator.notes).toMatchObject([{ code: 'arguments_not_json' }])
})

test('a call is not over before its stop, though its input may look complete', () => {
  const { blocks, translator } = answerOf([
    callEvent('t1', { input: '{}' }),
    callEvent('t1', { input: '{"a":1}', stop: true }),
    endEvent('TOOL_USE'),
  ])
  expect(blocks[0]?.content).toBe('{}{"a":1}')
  expect(translator.notes).toMatchObject([{ code: 'arguments_not_json' }])
})

test('names and ids come back as the client knows them', () => {
  const { blocks } = answerOf([...wholeCall('odd id!', {}, 'read'), endEvent('TOOL_USE')], {
    tools: ['Read'],
  })
  expect(blocks[0]?.start).toMatchObject({ name: 'Read', id: expect.stringMatching(/^[a-zA-Z0-9_-]+$/) })
})

test('reasoning becomes thinking, with proofs that say whose they are', () => {
  const { blocks } = answerOf([
    thinkingEvent('Let me '),
    thinkingEvent('see.'),
    ['reasoningContentEvent', { signature: 'c2ln' }],
    ['reasoningContentEvent', { redactedContent: 'AAAA' }],
    textEvent('Yes.'),
    endEvent(),
  ])
  expect(blocks.map(({ start, content }) => [start.type, content])).toEqual([
    ['thinking', 'Let me see.'],
    ['thinking', ''],
    ['text', 'Yes.'],
  ])
  expect(openEnvelope(blocks[0]?.signature ?? '')).toEqual({ by: 'amazon-q', proof: 'c2ln' })
  expect(openEnvelope(blocks[1]?.signature ?? '')).toEqual({ by: 'amazon-q', proof: 'AAAA' })
})

test.each([
  ['END_TURN', 'end_turn', []],
  ['MAX_TOKENS', 'max_tokens', []],
  ['MODEL_CONTEXT_WINDOW_EXCEEDED', 'model_context_window_exceeded', []],
  ['PAUSE_TURN', 'pause_turn', []],
  ['CONTENT_FILTERED', 'refusal', []],
  ['TOOL_USE', 'end_turn', []],
  ['UNKNOWN', 'end_turn', ['stop_reason_unknown']],
  ['', 'end_turn', ['stop_reason_missing']],
])('the stop reason %j becomes %s', (reason, stop, codes) => {
  const { end, translator } = answerOf([textEvent('Hi.'), endEvent(reason)])
  expect(end?.delta.stop_reason).toBe(stop)
  expect(translator.notes.map(({ code }) => code)).toEqual(codes)
})

test('calls make the stop a tool use, whatever the upstream calls it', () => {
  const { end } = answerOf([...wholeCall('t1', {}), endEvent('END_TURN')])
  expect(end?.delta.stop_reason).toBe('tool_use')
})

test('usage that was not counted is estimated, with a note', () => {
  const { end, translator } = answerOf([
    textEvent('Hello there.'),
    ['metadataEvent', { stopReason: 'END_TURN' }],
  ])
  expect(end?.usage).toMatchObject({ input_tokens: 40, output_tokens: 3 })
  expect(translator.notes).toMatchObject([{ code: 'usage_estimated' }])
})

test('an answer without its last event is cut, though its frames are whole', () => {
  const { error } = answerOf([textEvent('Hello.')])
  expect(error).toEqual({
    type: 'overloaded_error',
    message: 'Overloaded: amazon-q: the answer broke off after 1 events, before its metadataEvent came',
  })
})

test('content behind the last event takes the end back', () => {
  expect(answerOf([textEvent('Hello.'), endEvent(), textEvent(' And')]).error?.type).toBe('overloaded_error')
})

test('a call that was not finished is a cut, unless the upstream says why', () => {
  const begun = callEvent('t1', { input: '{"a":' })
  expect(answerOf([begun, endEvent('TOOL_USE')]).error?.message).toContain('before a call in it was whole')
  const cut = answerOf([begun, endEvent('MAX_TOKENS')])
  expect(cut.end?.delta.stop_reason).toBe('max_tokens')
  expect(cut.translator.notes).toMatchObject([{ code: 'arguments_not_json' }])
})

test('a profile may name another event that ends an answer', () => {
  const setup = { profile: { closingEvents: ['meteringEvent'] } }
  const { end, translator } = answerOf([textEvent('Hi.'), ['meteringEvent', { usage: 0.1 }]], setup)
  expect(end?.delta.stop_reason).toBe('end_turn')
  expect(translator.notes.map(({ code }) => code)).toEqual(['stop_reason_missing', 'usage_estimated'])
})

test('an event that nobody knows is left out with a note', () => {
  const { translator } = answerOf([
    textEvent('Hi.'),
    ['followupPromptEvent', { followupPrompt: {} }],
    endEvent(),
  ])
  expect(translator.notes).toMatchObject([{ code: 'event_ignored', path: 'followupPromptEvent' }])
})

test.each([
  ['throttlingException', 'rate_limit_error', 'No.'],
  ['ValidationException', 'invalid_request_error', 'No.'],
  ['accessDeniedException', 'permission_error', 'No.'],
  ['error', 'overloaded_error', 'Overloaded: No.'],
])('the exception %s becomes %s', (type, kind, message) => {
  const body = joinedBytes([bodyOf(textEvent('Hi.')), exceptionFrame(type, { message: 'No.' })])
  expect(readStream(translate(turnTranslator(), body)).error).toEqual({ type: kind, message })
})

test('an exception before anything else can still become an HTTP status', () => {
  const translator = turnTranslator()
  translate(translator, exceptionFrame('ThrottlingException', { message: 'Slow down.' }))
  expect(translator).toMatchObject({ started: false, failure: { status: 429 } })
})

test('an error frame has its words in its headers', () => {
  const headers = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Oh no.' }
  expect(readStream(translate(turnTranslator(), frame(headers, ''))).error).toEqual({
    type: 'overloaded_error',
    message: 'Overloaded: Oh no.',
  })
})

test('an invalid state is an error', () => {
  expect(answerOf([['invalidStateEvent', { reason: 'X', message: 'Not now.' }]]).error?.message).toBe(
    'Overloaded: Not now.',
  )
})

test.each([
  ['text of another type', ['assistantResponseEvent', { content: 1 }], 'assistantResponseEvent.content'],
  ['text that is missing', ['assistantResponseEvent', {}], 'assistantResponseEvent.content'],
  ['a call without an id', ['toolUseEvent', { name: 'Read' }], 'toolUseEvent.toolUseId'],
  ['a call without a name', ['toolUseEvent', { toolUseId: 't' }], 'toolUseEvent.name'],
] as const)('%s is an error that names its place', (_name, event, path) => {
  expect(answerOf([event]).error?.message).toContain(`amazon-q: expected ${path} to be`)
})

test('more input behind the stop of a call is an error', () => {
  const events = [...wholeCall('t1', {}), callEvent('t1', { input: '{}' }), endEvent()]
  expect(answerOf(events).error?.message).toContain('more input')
})

test('a frame of another kind is an error', () => {
  const { error } = readStream(translate(turnTranslator(), frame({ ':message-type': 'song' }, '{}')))
  expect(error?.message).toContain('amazon-q: expected an event or an exception, got song')
})

test.each([
  ['nothing', '', 'the answer broke off after 0 events'],
  ['an error as JSON', '{"__type":"x#ThrottlingException","message":"Slow."}', 'Slow.'],
  ['another JSON document', '{"a":1}', 'expected an event stream, got a JSON document'],
  ['a page', '<html><body>Hi</body></html>', 'expected an event stream, got HTML'],
  ['words', 'Service Unavailable', 'the answer broke off after 0 events'],
])('a body that is %s is an error', (_name, body, message) => {
  expect(readStream(translate(turnTranslator(), toBytes(body))).error?.message).toContain(message)
})

test('a stop sequence ends the text', () => {
  const { blocks, end } = answerOf([textEvent('One. EN'), textEvent('D Two.'), endEvent()], {
    stopSequences: ['END'],
  })
  expect(linesOf(blocks)).toEqual([['text', 'One. ']])
  expect(end?.delta).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
})
