import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import {
  call,
  calls,
  chunk,
  delta,
  DONE,
  finish,
  more,
  text,
  usage,
} from '../../../test/streams/chat-chunks.ts'
import { parseEvents } from '../../../test/streams/sse-events.ts'
import { chatTranslator, CLIENT_MODEL, toBytes } from '../../../test/streams/translator.ts'
import type { HubRequest } from '../../hub/request.ts'
import { GEMINI, openEnvelope } from '../../identity/envelope.ts'
import { chatProfiles } from '../../providers/chat-profiles.ts'
import { encodeRequest } from './encode-request.ts'

const END = finish('tool_calls', usage(5, 3)) + DONE
const blocksOf = (body: string): readonly string[] => answerTo(body + END).blocks
const pieceOf = (id: string, json: string): object => ({ index: 0, id, function: { arguments: json } })
const named = (name: string, json: string): object => ({ function: { name, arguments: json } })

test('C1 a call starts with its first chunk, and its arguments follow as they come', () => {
  const translator = chatTranslator()
  const push = (body: string): string[] =>
    parseEvents(translator.push(toBytes(body))).map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'
        ? event.delta.partial_json
        : event.type,
    )
  expect(push(calls(call(0, 'c', 'Read', '')))).toEqual(['message_start', 'content_block_start'])
  expect(push(calls(more(0, '{"fi')))).toEqual(['{"fi'])
  expect(push(calls(more(0, 'le":')))).toEqual(['le":'])
  expect(push(calls(more(0, '"x"}')))).toEqual(['"x"}'])
  expect(push(END)).toEqual(['content_block_stop', 'message_delta', 'message_stop'])
})

test('C2 several calls without an index in one chunk are one block each', () => {
  const body = calls({ id: 'a', ...named('Read', '{"n":1}') }, { id: 'b', ...named('Read', '{"n":2}') })
  expect(blocksOf(body)).toEqual(['a Read {"n":1}', 'b Read {"n":2}'])
})

test('C2 calls without an index in successive chunks are one block each, and pieces go to the latest', () => {
  const body =
    calls({ id: 'a', ...named('Read', '{"n":') }) +
    calls({ function: { arguments: '1}' } }) +
    calls({ id: 'b', ...named('Read', '{"n":') }) +
    calls({ function: { arguments: '2}' } })
  expect(blocksOf(body)).toEqual(['a Read {"n":1}', 'b Read {"n":2}'])
})

test('C2 calls without an index and without an id are one block each', () => {
  const body = calls(named('Read', '{"n":1}')) + calls(named('Read', '{"n":2}'))
  expect(blocksOf(body)).toEqual(['toolu_msg_test_0 Read {"n":1}', 'toolu_msg_test_1 Read {"n":2}'])
})

test('C2 whole calls that all have the index 0 and no id are one block each', () => {
  const one = { index: 0, id: '', ...named('Read', '{"n":1}') }
  const two = { index: 0, id: '', ...named('Read', '{"n":2}') }
  const three = { index: 0, ...named('Bash', '{}') }
  expect(blocksOf(calls(one, two) + calls(three))).toEqual([
    'toolu_msg_test_0 Read {"n":1}',
    'toolu_msg_test_1 Read {"n":2}',
    'toolu_msg_test_2 Bash {}',
  ])
})

test.for(['{}', ''])('C2 calls without an id under one index are told apart by their tools: %j', (none) => {
  const setup = { tools: ['Read', 'Bash'] }
  const body =
    calls({ index: 0, id: '', ...named('Read', none) }) + calls({ index: 0, ...named('Bash', none) })
  expect(answerTo(body + END, setup).blocks).toEqual(['toolu_msg_test_0 Read {}', 'toolu_msg_test_1 Bash {}'])
})

test('C3 the same index with a new id is a new block', () => {
  const body = calls(call(0, 'a', 'Read', '{"n":1}')) + calls(call(0, 'b', 'Read', '{"n":'), more(0, '2}'))
  expect(blocksOf(body)).toEqual(['a Read {"n":1}', 'b Read {"n":2}'])
})

test.for([
  ['the id again', { index: 0, id: 'a', function: { arguments: ':1}' } }],
  ['the id and the name again', { index: 0, id: 'a', ...named('Read', ':1}') }],
  ['the name again', { index: 0, ...named('Read', ':1}') }],
  ['an empty id', { index: 0, id: '', type: 'function', function: { arguments: ':1}' } }],
  ['an empty name', { index: 0, id: '', function: { name: '', arguments: ':1}' } }],
  ['nulls', { index: 0, id: null, type: null, function: { name: null, arguments: ':1}' } }],
  ['the id without an index', { id: 'a', function: { arguments: ':1}' } }],
] as const)('C4 a piece with %s belongs to the same block', ([, piece]) => {
  expect(blocksOf(calls(call(0, 'a', 'Read', '{"n"')) + calls(piece))).toEqual(['a Read {"n":1}'])
})

test.for([
  ['another id from the second piece on', ['b', 'b', 'b']],
  ['another id on each piece', ['b', 'c', 'd']],
] as const)('C4 a call with %s is one block, under its first id', ([, [one, two, three]]) => {
  const body = calls(call(0, 'a', 'Read', '')) + calls(pieceOf(one, '{"n"')) + calls(pieceOf(two, ':1'))
  expect(blocksOf(body + calls(pieceOf(three, '}')))).toEqual(['a Read {"n":1}'])
})

test('C4 a repetition without arguments after a complete object is nothing', () => {
  const body = calls(call(0, 'a', 'Read', '{"n":1}')) + calls({ index: 0, ...named('Read', '') })
  expect(blocksOf(body)).toEqual(['a Read {"n":1}'])
})

test.for([
  ['the id first', [{ index: 0, id: 'a' }, more(0, '{"n"'), { index: 0, ...named('Read', ':1}') }]],
  [
    'the name first',
    [
      { index: 0, ...named('Read', '{"n"') },
      { index: 0, id: 'a', function: { arguments: ':1}' } },
    ],
  ],
  ['the arguments first', [more(0, '{"n"'), more(0, ':1}'), call(0, 'a', 'Read', '')]],
  [
    'the name last',
    [
      { index: 0, id: 'a', function: { arguments: '{"n":1}' } },
      { index: 0, ...named('Read', '') },
    ],
  ],
] as const)('C5 with %s the start waits for both, and nothing is lost', ([, pieces]) => {
  expect(blocksOf(pieces.map((piece) => calls(piece)).join(''))).toEqual(['a Read {"n":1}'])
  expect(blocksOf(calls(...pieces))).toEqual(['a Read {"n":1}'])
})

test('C5 a call that never gets a name is an error', () => {
  expect(answerTo(calls({ index: 0, id: 'a', function: { arguments: '{}' } }) + END).error).toMatch(
    /expected the name of the call a to be a string/,
  )
})

test('C6 calls without any id get ids of ours, distinct within the conversation', () => {
  const body = calls({ index: 0, ...named('Read', '{}') }, { index: 1, ...named('Bash', '{}') }) + END
  expect(answerTo(body).blocks).toEqual(['toolu_msg_test_0 Read {}', 'toolu_msg_test_1 Bash {}'])
  const [first = ''] = answerTo(body, { usedIds: ['toolu_msg_test_0'] }).blocks
  expect(first).toMatch(/^hyd1_\w+ Read \{\}$/)
})

test('C7 arguments in the start chunk, or the whole call in one chunk, or together with the finish, are complete', () => {
  expect(blocksOf(calls(call(0, 'a', 'Read', '{"n"'), more(0, ':1}')))).toEqual(['a Read {"n":1}'])
  expect(blocksOf(calls(call(0, 'a', 'Read', '{"n":1}')))).toEqual(['a Read {"n":1}'])
  const last = chunk({ delta: { tool_calls: [more(0, ':1}')] }, finish_reason: 'tool_calls' }, usage(5, 3))
  expect(answerTo(calls(call(0, 'a', 'Read', '{"n"')) + last).blocks).toEqual(['a Read {"n":1}'])
})

test.for([
  ['no arguments', { index: 0, id: 'a', function: { name: 'Read' } }],
  ['empty arguments', call(0, 'a', 'Read', '')],
  ['blank arguments', call(0, 'a', 'Read', ' \n')],
  ['null arguments', { index: 0, id: 'a', function: { name: 'Read', arguments: null } }],
  ['the word null', call(0, 'a', 'Read', 'null')],
] as const)('C8 %s are the input {}', ([, piece]) => {
  expect(blocksOf(calls(piece))).toEqual(['a Read {}'])
})

test('C9 arguments as an object are the same object', () => {
  const piece = { index: 0, id: 'a', function: { name: 'Read', arguments: { n: [1, { x: 'ä' }] } } }
  expect(blocksOf(calls(piece))).toEqual(['a Read {"n":[1,{"x":"ä"}]}'])
})

test('C9 arguments as JSON inside a JSON string are that object, with a note', () => {
  const { blocks, notes } = answerTo(calls(call(0, 'a', 'Read', JSON.stringify('{"n":1}'))) + END)
  expect([blocks, notes]).toEqual([['a Read {"n":1}'], ['arguments_unwrapped']])
})

test('C10 pieces of two interleaved calls become two complete blocks', () => {
  const body =
    calls(call(0, 'a', 'Read', '')) +
    calls(call(1, 'b', 'Bash', '')) +
    calls(more(0, '{"n"')) +
    calls(more(1, '{"m"')) +
    calls(more(0, ':1}')) +
    calls(more(1, ':2}'))
  expect(blocksOf(body)).toEqual(['a Read {"n":1}', 'b Bash {"m":2}'])
})

test('C10 the open call streams while the other one waits', () => {
  const translator = chatTranslator()
  translator.push(toBytes(calls(call(0, 'a', 'Read', '{'), call(1, 'b', 'Bash', '{'))))
  expect(translator.push(toBytes(calls(more(0, '"n"'))))).toContain(String.raw`"partial_json":"\"n\""`)
  expect(translator.push(toBytes(calls(more(1, '"m"'))))).toBe('')
})

test('C12 the finish length in the middle of arguments is max_tokens, and the call is seen to be incomplete', () => {
  const { blocks, stop, notes } = answerTo(
    calls(call(0, 'a', 'Read', '{"n": [1')) + finish('length', usage(5, 3)),
  )
  expect([blocks, stop, notes]).toEqual([['a Read {"n": [1'], 'max_tokens', ['arguments_not_json']])
})

test.for(['length', 'max_tokens', 'content_filter'])(
  'C12 a call that %s cuts before its name is dropped with a note',
  (reason) => {
    const body = text('Now') + calls({ index: 0, id: 'a', function: {} }) + finish(reason, usage(5, 3))
    const { blocks, notes } = answerTo(body)
    expect([blocks, notes]).toEqual([['text Now'], ['call_dropped']])
  },
)

test('C13 a legacy function_call is tool_use', () => {
  const body =
    delta({ function_call: { name: 'Read', arguments: '' } }) +
    delta({ function_call: { arguments: '{"n"' } }) +
    delta({ function_call: { arguments: ':1}' } }) +
    finish('function_call', usage(5, 3))
  const { blocks, stop } = answerTo(body)
  expect([blocks, stop]).toEqual([['toolu_msg_test_0 Read {"n":1}'], 'tool_use'])
})

test('C13 an empty function_call is none', () => {
  const { blocks, stop } = answerTo(delta({ content: 'a', function_call: { name: '', arguments: '' } }) + END)
  expect([blocks, stop]).toEqual([['text a'], 'end_turn'])
})

/** The upstream's id for a call of an earlier turn, when the client replays it. */
function replayedId(id: string, profile: keyof typeof chatProfiles = 'generic'): unknown {
  const request: HubRequest = {
    model: CLIENT_MODEL,
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ],
  }
  const { body } = encodeRequest(request, { model: 'm', profile: chatProfiles[profile] })
  const messages = body['messages'] as { tool_call_id?: unknown }[]
  return messages.at(-1)?.tool_call_id
}

test('C14 an id with characters that Anthropic refuses becomes a legal one, and the original when it is replayed', () => {
  const [block = ''] = blocksOf(calls(call(0, 'functions.Read:0', 'Read', '{}')))
  const [id = ''] = block.split(' ')
  expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  expect(replayedId(id)).toBe('functions.Read:0')
})

test('C15 an id that this conversation has already used becomes a distinct one, and the original when it is replayed', () => {
  const body = calls(call(0, 'call_0', 'Read', '{}')) + END
  const [again = ''] = answerTo(body, { usedIds: ['call_0'] }).blocks
  const [id = ''] = again.split(' ')
  expect(id).not.toBe('call_0')
  expect(replayedId(id)).toBe('call_0')
  const [third = ''] = answerTo(body, { usedIds: ['call_0', id] }).blocks
  expect([...new Set([again, third])]).toHaveLength(2)
})

test('C15 the same id for two calls of one answer becomes two ids', () => {
  const body = calls(call(0, 'call_0', 'Read', '{"n":1}')) + calls(call(1, 'call_0', 'Bash', '{"n":2}'))
  const ids = blocksOf(body).map((block) => block.split(' ')[0])
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]).toBe('call_0')
})

test('C15 pieces of calls that share their id belong to the call of their index', () => {
  const body =
    calls({ index: 0, id: 'x', function: { name: 'Read' } }) +
    calls({ index: 0, id: 'x', function: { arguments: '{"n":1}' } }) +
    calls({ index: 1, id: 'x', function: { name: 'Read' } }) +
    calls({ index: 1, id: 'x', function: { arguments: '{"n":2}' } })
  const [first = '', second = ''] = blocksOf(body)
  expect(first).toBe('x Read {"n":1}')
  expect(second).toMatch(/^(?!x )\S+ Read \{"n":2\}$/)
})

test('C15 the same id and index with another tool is another call', () => {
  const body = calls(call(0, 'x', 'Read', '{"n":1}')) + calls(call(0, 'x', 'Bash', '{"n":2}'), more(0, ''))
  const { blocks } = answerTo(body + END, { tools: ['Read', 'Bash'] })
  expect(blocks.map((block) => block.replace(/^\S+ /, ''))).toEqual(['Read {"n":1}', 'Bash {"n":2}'])
})

test('C16 a name that we shortened is the name of the client', () => {
  const long = `mcp__server__${'x'.repeat(80)}`
  const request: HubRequest = {
    model: CLIENT_MODEL,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hello.' }],
    tools: [{ name: long, input_schema: { type: 'object' } }],
  }
  const { body } = encodeRequest(request, { model: 'm', profile: chatProfiles.openai })
  const [tool] = body['tools'] as { function: { name: string } }[]
  const short = tool?.function.name ?? ''
  expect(short.length).toBeLessThanOrEqual(64)
  expect(
    answerTo(calls(call(0, 'a', short, '{}')) + END, { profile: 'openai', tools: [long] }).blocks,
  ).toEqual([`a ${long} {}`])
})

test('C17 a name in other case is the spelling of the client, an unknown one stays', () => {
  const body =
    calls(call(0, 'a', 'READ', '{}'), call(1, 'b', 'read', '{}'), call(2, 'c', 'Fetch', '{}')) + END
  expect(answerTo(body, { tools: ['Read', 'Bash'] }).blocks).toEqual(['a Read {}', 'b Read {}', 'c Fetch {}'])
})

test('C17 a tool that is offered in both spellings keeps each', () => {
  const body = calls(call(0, 'a', 'READ', '{}'), call(1, 'b', 'read', '{}')) + END
  expect(answerTo(body, { tools: ['Read', 'read', 'READ'] }).blocks).toEqual(['a READ {}', 'b read {}'])
})

test('C18 a complete object as a prefix of longer arguments does not close the call', () => {
  const body = calls(call(0, 'a', 'Read', '{}')) + calls(more(0, '{"n":')) + calls(more(0, '1}'))
  const { blocks, notes } = answerTo(body + END)
  expect([blocks, notes]).toEqual([['a Read {"n":1}'], ['arguments_placeholder']])
})

test('C18 blanks behind a complete object stay in the call', () => {
  expect(
    blocksOf(calls(call(0, 'a', 'Read', '{"n":1}')) + calls(more(0, ' ')) + calls(more(0, '\n'))),
  ).toEqual(['a Read {"n":1} \n'])
})

test.for([
  ['broken JSON', ['{"n": x', '}'], '{"n": x}'],
  ['plain text', ['ls', ' -l'], 'ls -l'],
  ['a list', ['[1,', '2]'], '[1,2]'],
  ['two objects', ['{"n":1}', '{"n":2}'], '{"n":1}{"n":2}'],
  ['an object that is never closed', ['{"n":', '1'], '{"n":1'],
  ['a string that is no object', ['"ls"'], '"ls"'],
] as const)('C19 %s at the end of a call is passed on as it is, with a note', ([, pieces, expected]) => {
  const body = calls(call(0, 'a', 'Bash', '')) + pieces.map((piece) => calls(more(0, piece))).join('')
  const { blocks, stop, notes } = answerTo(body + END)
  expect([blocks, stop, notes]).toEqual([[`a Bash ${expected}`], 'tool_use', ['arguments_not_json']])
})

const signed = (id: string, extra: object): object => ({
  ...call(0, id, 'Read', '{"n":1}'),
  extra_content: { google: extra },
})

test("C20 Gemini's signature of a call is kept in the conversation", () => {
  const body = calls(signed('a', { thought_signature: 'c2ln' })) + END
  const [thinking = '', block] = answerTo(body, { profile: 'gemini', tools: ['Read'] }).blocks
  expect(openEnvelope(thinking.split('#')[1] ?? '')).toEqual({ by: GEMINI, proof: 'c2ln', callId: 'a' })
  expect(block).toBe('a Read {"n":1}')
})

test("C20 Gemini's signature goes back with that call in the next turn", () => {
  const body = delta({ reasoning_content: 'Hm' }) + calls(signed('a', { thought_signature: 'c2ln' })) + END
  const [thinking = ''] = answerTo(body, { profile: 'gemini', tools: ['Read'] }).blocks
  const signature = thinking.split('#')[1] ?? ''
  const request: HubRequest = {
    model: CLIENT_MODEL,
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Hello.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature },
          { type: 'tool_use', id: 'a', name: 'Read', input: { n: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    ],
  }
  const encoded = encodeRequest(request, { model: 'gemini-2.5-pro', profile: chatProfiles.gemini }).body
  const messages = encoded['messages'] as { tool_calls?: object[] }[]
  expect(messages.find(({ tool_calls: sent }) => sent !== undefined)?.tool_calls?.[0]).toMatchObject({
    id: 'a',
    extra_content: { google: { thought_signature: 'c2ln' } },
  })
})

test('C20 a signature that comes after the call is kept too', () => {
  const body =
    calls(call(0, 'a', 'Read', '{"n":1}')) +
    calls({ index: 0, extra_content: { google: { thought_signature: 'c2ln' } } })
  const blocks = answerTo(body + END, { profile: 'gemini', tools: ['Read'] }).blocks
  const last = blocks.at(-1) ?? ''
  expect(openEnvelope(last.split('#')[1] ?? '')).toEqual({ by: GEMINI, proof: 'c2ln', callId: 'a' })
})

test('C20 a signature that the profile does not send back is dropped with a note', () => {
  const { blocks, notes } = answerTo(calls(signed('a', { thought_signature: 'c2ln' })) + END)
  expect([blocks, notes]).toEqual([['a Read {"n":1}'], ['signature_dropped']])
})

test('text behind a call comes as soon as like pieces have made it complete', () => {
  const translator = chatTranslator()
  const push = (body: string): string => translator.push(toBytes(body))
  push(calls(call(0, 'a', 'Read', '{"n":')))
  expect(push(text('behind'))).toBe('')
  expect(push(calls(more(0, '1')))).toContain('"partial_json":"1"')
  expect(push(calls(more(0, '2')))).toContain('"partial_json":"2"')
  expect(push(calls(more(0, '}')))).toContain('"text":"behind"')
})
