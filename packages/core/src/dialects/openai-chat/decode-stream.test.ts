import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import {
  call,
  calls,
  chunk,
  delta,
  DONE,
  event,
  finish,
  more,
  text,
  usage,
} from '../../../test/streams/chat-chunks.ts'
import { readStream } from '../../../test/streams/grammar.ts'
import { parseEvents } from '../../../test/streams/sse-events.ts'
import {
  chatTranslator,
  CLIENT_MODEL,
  MESSAGE_ID,
  toBytes,
  translate,
} from '../../../test/streams/translator.ts'
import { HubError } from '../../hub/error.ts'

const both = (zero: object, one: object): string =>
  event({
    choices: [
      { index: 1, ...one },
      { index: 0, ...zero },
    ],
  })
const wholeMessage = (content: string): string =>
  event({ choices: [{ index: 0, message: { content }, finish_reason: null }] })
const END = finish('stop', usage(5, 3)) + DONE

test('S1 a first chunk without choices, id and model starts nothing, and the message starts under our id', () => {
  const translator = chatTranslator({ profile: 'azure' })
  const azure = event({
    choices: [],
    id: '',
    model: '',
    created: 0,
    prompt_filter_results: [{ prompt_index: 0 }],
  })
  expect(translator.push(toBytes(azure))).toBe('')
  expect(translator.started).toBe(false)
  const [start] = parseEvents(translator.push(toBytes(text('Hi'))))
  expect(start).toMatchObject({ type: 'message_start', message: { id: MESSAGE_ID, model: CLIENT_MODEL } })
  expect(translator.notes).toEqual([])
})

test.for([{}, { role: '' }, { role: null }, { role: 'assistant' }])(
  'S2 an answer starts whatever its first chunk says of the role: %j',
  (role) => {
    expect(answerTo(delta({ ...role, content: 'Hi' }) + END).blocks).toEqual(['text Hi'])
  },
)

test('S3 text and the finish in the first chunk are start, content and close', () => {
  const body =
    chunk({ delta: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }, usage(5, 3)) + DONE
  const types = parseEvents(translate(chatTranslator(), body)).map(({ type }) => type)
  expect(types).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

test('S3 a whole call and the finish in the first chunk are start, content and close', () => {
  const whole = { tool_calls: [call(0, 'call_1', 'Read', '{"a":1}')] }
  const { blocks, stop } = answerTo(chunk({ delta: whole, finish_reason: 'tool_calls' }, usage(5, 3)) + DONE)
  expect([blocks, stop]).toEqual([['call_1 Read {"a":1}'], 'tool_use'])
})

test('S3 a finish without content in the first chunk is an empty message', () => {
  const { blocks, stop } = answerTo(END)
  expect([blocks, stop]).toEqual([[], 'end_turn'])
})

test('S4 a role with empty content opens no block before the thinking', () => {
  const body =
    delta({ role: 'assistant', content: '' }) + delta({ content: '', reasoning: 'Hm' }) + text('Hi') + END
  expect(answerTo(body).blocks).toEqual(['thinking Hm', 'text Hi'])
})

test.for([
  ['nothing', ''],
  ['blank lines', '\n\n\n'],
  ['[DONE] alone', DONE],
  ['comments alone', ': PROCESSING\n\n'],
  ['usage alone', event({ choices: [], ...usage(5, 0) }) + DONE],
] as const)('S5 a body of %s is a failure that can still become a status', ([, body]) => {
  const { error, translator } = answerTo(body)
  expect(error).toMatch(/^overloaded_error: Overloaded: openai-chat: the answer broke off after \d events/)
  expect([translator.started, translator.failure?.status]).toEqual([false, 502])
})

test('S7 HTML is a failure of the class 502, told at once', () => {
  const translator = chatTranslator()
  const output = translator.push(toBytes('\r\n<!DOCTYPE html><html><title>502</title>'))
  expect(readStream(output).error?.message).toContain('upstream: expected an event stream, got HTML')
  expect([translator.ended, translator.started, translator.failure?.status]).toEqual([true, false, 502])
})

test('S7 any other text is a failure of the class 502 with its words, but no keys and paths', () => {
  const { error, translator } = answerTo('denied: key sk-abcdef123456 in /home/me/keys.txt\n')
  expect(error).toContain('it said: denied: key sk-*** in [path]')
  expect([translator.started, translator.failure?.status]).toEqual([false, 502])
})

test('S8 comments, fields, line ends and missing blank lines are read as the standard says', () => {
  const body = `\uFEFF: hello\nretry: 10\r\nid: 7\revent: message\ndata:${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\r\n\r\ndata:\n\n${finish('stop', usage(5, 3)).trimEnd()}`
  const { blocks, stop } = answerTo(body)
  expect([blocks, stop]).toEqual([['text Hi'], 'end_turn'])
})

test('S9 a character that is cut between two reads is joined, in text and in arguments', () => {
  const bytes = toBytes(text('Grüße 👋') + calls(call(0, 'c', 'Read', '{"path":"日本"}')) + END)
  const whole = readStream(translate(chatTranslator(), bytes)).blocks.map(({ content }) => content)
  expect(whole).toEqual(['Grüße 👋', '{"path":"日本"}'])
  for (let at = 1; at < bytes.length; at += 1) {
    const output = translate(chatTranslator(), bytes.subarray(0, at), bytes.subarray(at))
    expect(output).not.toContain('\uFFFD')
  }
})

test('S10 the message has our id and the model that the client asked for, whatever the chunks say', () => {
  const body =
    event({ id: 'chatcmpl-9', model: 'gpt-4o-2024', choices: [{ delta: { content: 'Hi' } }] }) + END
  const [start] = parseEvents(translate(chatTranslator(), body))
  expect(start).toMatchObject({ message: { id: MESSAGE_ID, model: CLIENT_MODEL } })
})

test.for([
  { content: '' },
  { content: null },
  { tool_calls: null },
  { tool_calls: [] },
  {},
  { refusal: null },
])('T1 the delta %j says nothing', (nothing) => {
  const { blocks, notes } = answerTo(delta(nothing) + text('Hi') + delta(nothing) + text('!') + END)
  expect([blocks, notes]).toEqual([['text Hi!'], []])
})

test.for([{ delta: null }, {}])('T2 %j with a finish is a normal finish', (nothing) => {
  const { blocks, stop } = answerTo(
    text('Hi') + chunk({ ...nothing, finish_reason: 'stop' }, usage(5, 3)) + DONE,
  )
  expect([blocks, stop]).toEqual([['text Hi'], 'end_turn'])
})

test('T3 content in parts is thinking, then text', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Let' }, 'me'] }
  const body = delta({ content: [thinking, { type: 'text', text: 'So' }, ' it is'] }) + END
  expect(answerTo(body).blocks).toEqual(['thinking Letme', 'text So it is'])
})

test('T3 a part of another type is left out with a note', () => {
  const { blocks, notes } = answerTo(
    delta({
      content: [
        { type: 'reference', ids: [1] },
        { type: 'text', text: 'a' },
      ],
    }) + END,
  )
  expect([blocks, notes]).toEqual([['text a'], ['content_dropped']])
})

test('T5 reasoning and text in one chunk: the thinking is closed, then the text begins', () => {
  const body = delta({ content: 'So', reasoning_content: 'Hm' }) + text(' it is') + END
  expect(answerTo(body).blocks).toEqual(['thinking Hm', 'text So it is'])
})

test('T6 reasoning again after text is a new thinking block', () => {
  const body = delta({ reasoning: 'a' }) + text('b') + delta({ reasoning: 'c' }) + text('d') + END
  expect(answerTo(body).blocks).toEqual(['thinking a', 'text b', 'thinking c', 'text d'])
})

test('T8 a refusal is text, and the turn ends as usual', () => {
  const { blocks, stop } = answerTo(delta({ refusal: 'I ' }) + delta({ refusal: 'cannot.' }) + END)
  expect([blocks, stop]).toEqual([['text I cannot.'], 'end_turn'])
})

test('T9 unknown deltas are noted once each and break nothing', () => {
  const unknown = delta({ audio: { id: 'a' }, images: [{}], annotations: [{ type: 'url_citation' }] })
  const { blocks, translator } = answerTo(text('a') + unknown + unknown + text('b') + END)
  expect(blocks).toEqual(['text ab'])
  expect(translator.notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'annotation_dropped choices[0].delta.annotations',
    'delta_ignored choices[0].delta.audio',
    'delta_ignored choices[0].delta.images',
  ])
})

test('T10 of several choices only the first is passed on, with its own finish', () => {
  const body =
    both({ delta: { content: 'a' } }, { delta: { content: 'b' } }) +
    both({ delta: {}, finish_reason: 'length' }, { delta: { content: 'b' }, finish_reason: 'stop' })
  const { blocks, stop, notes } = answerTo(body + DONE)
  expect([blocks, stop]).toEqual([['text a'], 'max_tokens'])
  expect(notes).toContain('choice_ignored')
})

test('T10 the finish of another choice is not the finish', () => {
  const body = text('a') + event({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] })
  expect(answerTo(body).error).toMatch(/broke off/)
})

test('T12 content as an object is its JSON as text', () => {
  const body = delta({ content: { answer: [1, null, 'ä'] } }) + END
  expect(answerTo(body).blocks).toEqual(['text {"answer":[1,null,"ä"]}'])
})

test('F4 an empty finish reason is no finish', () => {
  const half = chunk({ delta: { content: 'Half' }, finish_reason: '' })
  expect(answerTo(half).error).toMatch(/broke off/)
  expect(answerTo(half + END).blocks).toEqual(['text Half'])
})

test('F5 the finish reason error is an error', () => {
  const { error, translator } = answerTo(text('a') + finish('error') + DONE)
  expect(error).toBe('overloaded_error: Overloaded: openai-chat: the upstream ended its answer with an error')
  expect(translator.started).toBe(true)
})

test('F6 the content of the finish chunk is passed on at once, the closing events wait for the end', () => {
  const translator = chatTranslator()
  const last = chunk({
    delta: { content: 'All', tool_calls: [call(0, 'c', 'Read', '{"a":1}')] },
    finish_reason: 'stop',
  })
  const types = parseEvents(translator.push(toBytes(last))).map(({ type }) => type)
  expect(types.slice(-2)).toEqual(['content_block_start', 'content_block_delta'])
  expect(translator.push(toBytes(event({ choices: [], ...usage(5, 3) })))).toBe('')
  const closing = parseEvents(translator.push(toBytes(DONE)))
  expect(closing.map(({ type }) => type)).toEqual(['content_block_stop', 'message_delta', 'message_stop'])
  expect(closing[1]).toMatchObject({ usage: { input_tokens: 5, output_tokens: 3 } })
})

test('F9 a finish that comes again counts once', () => {
  const {
    blocks,
    stop,
    usage: counts,
  } = answerTo(text('a') + finish('length') + finish('stop', usage(5, 3)) + DONE)
  expect([blocks, stop, counts]).toEqual([['text a'], 'max_tokens', [5, 3, 0, 0]])
})

test('F9 what comes after a finish is still content', () => {
  const one = chunk({ delta: { tool_calls: [call(0, 'a', 'Read', '{"n":1}')] }, finish_reason: 'tool_calls' })
  const two = chunk({ delta: { tool_calls: [call(0, 'b', 'Read', '{"n":2}')] }, finish_reason: 'tool_calls' })
  expect(answerTo(one + two + text('Done') + DONE).blocks).toEqual([
    'a Read {"n":1}',
    'b Read {"n":2}',
    'text Done',
  ])
})

test('F9 a call that is cut off after the finish of another one is an error', () => {
  const one = chunk({ delta: { tool_calls: [call(0, 'a', 'Read', '{"n":1}')] }, finish_reason: 'tool_calls' })
  expect(answerTo(one + calls(call(1, 'b', 'Read', ''))).error).toMatch(/broke off/)
  expect(answerTo(one + calls(call(1, 'b', 'Read', '{"n":'))).error).toMatch(/broke off/)
  expect(answerTo(one + calls(call(1, 'b', 'Read', '{"n":2}'))).stop).toBe('tool_use')
})

test('F10 a finish without [DONE] is a clean end', () => {
  const { blocks, stop } = answerTo(text('a') + finish('stop', usage(5, 3)))
  expect([blocks, stop]).toEqual([['text a'], 'end_turn'])
})

test('F11 [DONE] without a finish is a clean end if everything is complete', () => {
  const { blocks, stop } = answerTo(text('a') + calls(call(0, 'c', 'Read', '{"a":'), more(0, '1}')) + DONE)
  expect([blocks, stop]).toEqual([['text a', 'c Read {"a":1}'], 'tool_use'])
})

test('F11 [DONE] without a finish in the middle of a call is an error', () => {
  expect(answerTo(text('a') + calls(call(0, 'c', 'Read', '{"a":')) + DONE).error).toMatch(/broke off/)
  expect(answerTo(calls({ index: 0, id: 'c' }) + DONE).error).toMatch(/broke off/)
})

test.for([
  ['in text', text('Half')],
  ['after a whole call', calls(call(0, 'c', 'Read', '{"a":1}'))],
  ['in a call', calls(call(0, 'c', 'Read', '{"a":'))],
  ['in an event', text('a') + finish('stop').slice(0, 60)],
] as const)('F12 an answer that breaks off %s is an error', ([, body]) => {
  const { error, translator } = answerTo(body)
  expect(error).toMatch(
    /^overloaded_error: Overloaded: openai-chat: the answer broke off after \d events, before it was finished$/,
  )
  expect(translator.started).toBe(true)
})

test('F12 a reset or a timeout is the error that the call broke with', () => {
  const translator = chatTranslator()
  const output =
    translator.push(toBytes(text('Half'))) + translator.fail(new HubError('timeout_error', 'silent for 60 s'))
  expect(readStream(output).error).toEqual({
    type: 'overloaded_error',
    message: 'Overloaded: silent for 60 s',
  })
  expect([translator.push(toBytes(END)), translator.end()]).toEqual(['', ''])
})

test('F12 an event that is no JSON is an error, and nothing follows it', () => {
  const { error, blocks } = answerTo(`${text('a')}data: {"choices":\n\n${text('b')}${END}`)
  expect([blocks, error]).toEqual([
    ['text a'],
    'overloaded_error: Overloaded: openai-chat: an event is not JSON',
  ])
})

test.for([
  [
    'an object',
    event({ error: { message: 'Slow down', type: 'rate_limit_error' } }),
    'rate_limit_error: Slow down',
  ],
  ['a string', event({ error: 'Slow down' }), 'overloaded_error: Overloaded: Slow down'],
  [
    'the object error',
    event({ object: 'error', message: 'Slow down', code: 429 }),
    'rate_limit_error: Slow down',
  ],
  ['a detail', event({ detail: 'Slow down' }), 'overloaded_error: Overloaded: Slow down'],
  [
    'beside choices',
    event({ choices: [{ delta: {} }], error: { message: 'Slow down', code: 429 } }),
    'rate_limit_error: Slow down',
  ],
  [
    'a named event',
    `event: error\n${event({ message: 'Slow down', status_code: 503 })}`,
    'overloaded_error: Overloaded: Slow down',
  ],
  [
    'in a choice',
    chunk({ delta: {}, error: { message: 'Slow down', code: 400 } }),
    'invalid_request_error: Slow down',
  ],
  [
    'a line of its own',
    'error: {"code":500,"message":"Slow down"}\n\n',
    'overloaded_error: Overloaded: Slow down',
  ],
  ['a line of plain words', 'error: Slow down\n\n', 'overloaded_error: Overloaded: Slow down'],
  [
    'a named event of plain words',
    'event: error\ndata: Slow down\n\n',
    'overloaded_error: Overloaded: Slow down',
  ],
] as const)('F13 an error as %s is one error event with its message', ([, said, expected]) => {
  const later = answerTo(text('a') + said + END)
  expect([later.error, later.blocks, later.translator.started]).toEqual([expected, ['text a'], true])
  const first = answerTo(said)
  expect([first.error, first.translator.started]).toEqual([expected, false])
})

test('F13 an error as the first event has the status that belongs to it', () => {
  const { translator } = answerTo(event({ error: { message: 'No such model', code: 404 } }))
  expect([translator.started, translator.failure?.status]).toEqual([false, 404])
})

test('F14 after the finish the translator says that it is finished, and an end closes cleanly at any time', () => {
  const translator = chatTranslator()
  const start = translator.push(toBytes(text('a')))
  expect(translator.finished).toBe(false)
  const rest = translator.push(toBytes(finish('stop', usage(5, 3))))
  expect([translator.finished, translator.ended]).toEqual([true, false])
  const { end } = readStream(start + rest + translator.end())
  expect([end?.delta.stop_reason, translator.ended]).toEqual(['end_turn', true])
})

test('after the end nothing more is said', () => {
  const translator = chatTranslator()
  const output = translate(translator, text('a') + END + text('b') + event({ error: 'x' }))
  expect(readStream(output).blocks.map(({ content }) => content)).toEqual(['a'])
  expect(translator.fail(new HubError('api_error', 'late'))).toBe('')
  expect(translator.failure).toBeUndefined()
})

test('a chunk without choices is noted and left out', () => {
  const { blocks, notes } = answerTo(event({ type: 'keepalive' }) + text('a') + END)
  expect([blocks, notes]).toEqual([['text a'], ['chunk_ignored']])
})

test('a message in place of the delta is taken while nothing has come, and later ones repeat it', () => {
  expect(answerTo(wholeMessage('All of it') + wholeMessage('All of it') + END).blocks).toEqual([
    'text All of it',
  ])
})

const custom = (fields: object): string => delta({ tool_calls: [{ index: 0, ...fields }] })

test('a call whose input is free text is one with a single string, however it is cut', () => {
  const stream = [
    custom({ id: 'call_1', type: 'custom', custom: { name: 'Read', input: '' } }),
    custom({ custom: { input: 'a "b"\n' } }),
    custom({ custom: { input: 'c' } }),
    finish('tool_calls', usage(5, 3)),
    DONE,
  ].join('')
  expect(answerTo(stream).blocks).toEqual(['call_1 Read {"input":"a \\"b\\"\\nc"}'])
})

test('a function with an empty custom beside it is a function', () => {
  const piece = {
    id: 'c',
    type: 'function',
    function: { name: 'Read', arguments: '{"a":1}' },
    custom: { name: '' },
  }
  expect(answerTo(custom(piece) + END).blocks).toEqual(['c Read {"a":1}'])
})
