import { expect, test } from 'vitest'
import { ASKED, mapMemory, message, replyTo, streamed } from '../../../test/chat-client/told.ts'
import { readChunks } from '../../../test/chat-client/read-chunks.ts'
import { HubError } from '../../hub/error.ts'
import type { HubMessage } from '../../hub/request.ts'
import type { ClientCall, Memory } from '../dialect.ts'
import { plainCall } from '../plain-call.ts'
import { decodeRequest, recalls } from './decode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { encodeStream } from './encode-stream.ts'

const THOUGHT = { type: 'thinking', thinking: 'Hm.', signature: 'proof' }
const LATER = { type: 'thinking', thinking: 'And now?', signature: 'other proof' }
const HIDDEN = { type: 'redacted_thinking', data: 'xyz' }
const TEXT = { type: 'text', text: 'Let me look.', citations: null }

function use(id: string): object {
  return { type: 'tool_use', id, name: 'Read', input: {}, caller: { type: 'direct' } }
}

const ANSWER = message([THOUGHT, HIDDEN, TEXT, use('a'), LATER, use('b')], 'tool_use')
const RESULTS = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: id }))

function turnOf(fields: object = {}): object {
  const calls = ['a', 'b'].map((id) => ({
    id,
    type: 'function',
    function: { name: 'Read', arguments: '{}' },
  }))
  return { role: 'assistant', content: 'Let me look.', tool_calls: calls, ...fields }
}

interface Next {
  readonly memory: Memory
  readonly turn?: object
  readonly headers?: ClientCall['headers']
  readonly opening?: string
}

function next({ memory, turn = turnOf(), headers = {}, opening = 'Hello.' }: Next): {
  turn: HubMessage | undefined
  notes: string[]
} {
  const messages = [{ role: 'user', content: opening }, turn, ...RESULTS]
  const { request, notes } = decodeRequest(plainCall({ ...ASKED, messages }, { memory, headers }))
  return { turn: request.messages[1], notes: notes.map(({ code }) => code) }
}

const PLAIN = [
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'a' },
  { type: 'tool_use', id: 'b' },
]
const WITH_PROOFS = [THOUGHT, HIDDEN, PLAIN[0], PLAIN[1], LATER, PLAIN[2]]

test.each([
  ['stream', streamed],
  ['whole answer', encodeResponse],
])('K31: what a %s thought before its calls stands before them again, with its proofs', (_name, encode) => {
  const memory = mapMemory()
  encode(ANSWER, replyTo({}, memory))
  const { turn, notes } = next({ memory })
  expect(turn?.content).toMatchObject(WITH_PROOFS)
  expect(notes).toEqual([])
})

test('K31: thinking behind the last call is put back there', () => {
  const memory = mapMemory()
  streamed(message([use('a'), use('b'), LATER], 'tool_use'), replyTo({}, memory))
  expect(next({ memory }).turn?.content).toMatchObject([...PLAIN, LATER])
})

test('K31: the words that the client sends back are not said twice, and other words leave a note', () => {
  const memory = mapMemory()
  streamed(ANSWER, replyTo({}, memory))
  const same = next({ memory, turn: turnOf({ reasoning_content: 'Hm.\n\nAnd now?' }) })
  const other = next({ memory, turn: turnOf({ reasoning_content: 'Something else.' }) })
  expect([same.turn?.content, other.turn?.content]).toMatchObject([WITH_PROOFS, WITH_PROOFS])
  expect([same.notes, other.notes]).toEqual([[], ['reasoning_replaced']])
})

test.each([
  { type: 'reasoning.encrypted', data: 'xx', format: 'google-gemini-v1' },
  { type: 'reasoning.text', text: 'Hm.', signature: 's', format: 'unknown' },
])('K32: a proof that is not known here leaves a note: %j', (detail) => {
  const turn = { role: 'assistant', content: 'Hi.', reasoning: 'Hm.', reasoning_details: [detail] }
  const { request, notes } = decodeRequest(
    plainCall({ model: 'm', messages: [{ role: 'user', content: 'Hi' }, turn] }),
  )
  expect(request.messages[1]?.content).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: '' },
    { type: 'text', text: 'Hi.' },
  ])
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'reasoning_dropped messages[1].reasoning_details',
  ])
})

test('K32: what was not kept is what the client says, without a proof, and noted', () => {
  const { turn, notes } = next({ memory: mapMemory(), turn: turnOf({ reasoning_content: 'Hm.' }) })
  expect(turn?.content).toMatchObject([{ type: 'thinking', thinking: 'Hm.', signature: '' }, ...PLAIN])
  expect(notes).toEqual(['thinking_unsigned'])
})

test('K33: a client that gives reasoning_details back needs no memory', () => {
  const reply = replyTo({ reasoning: { effort: 'low' } })
  const { details } = readChunks(streamed(ANSWER, reply), { usage: true })
  const [choice] = encodeResponse(ANSWER, reply).choices
  expect(choice?.message.reasoning_details).toEqual(details)
  const { turn } = next({ memory: mapMemory(), turn: turnOf({ reasoning_details: details }) })
  expect(turn?.content).toMatchObject(WITH_PROOFS)
})

test('K33: nobody else is sent them', () => {
  expect(streamed(ANSWER)).not.toContain('reasoning_details')
})

test("K33: Anthropic's proofs come back from another server's details", () => {
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'proof', format: 'anthropic-claude-v1' }]
  const { turn } = next({ memory: mapMemory(), turn: turnOf({ reasoning_details: details }) })
  expect(turn?.content).toMatchObject([THOUGHT, ...PLAIN])
})

test.each([
  ['another key', { headers: { authorization: 'Bearer other' } }],
  ['another beginning', { opening: 'Somebody else here.' }],
])('K34: a conversation with %s gets nothing of it, though its calls have the same ids', (_name, changed) => {
  const memory = mapMemory()
  streamed(ANSWER, replyTo({}, memory))
  expect(next({ memory, ...changed }).turn?.content).toMatchObject(PLAIN)
})

test('K34: an answer that broke off leaves nothing behind', () => {
  const memory = mapMemory()
  const encoder = encodeStream(replyTo({}, memory))
  encoder.messageStart({ id: 'chatcmpl-1', model: 'm', usage: ANSWER.usage })
  encoder.blockStart({ type: 'thinking' })
  encoder.thinking('Hm.')
  encoder.blockStop()
  encoder.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  encoder.error(new HubError('api_error', 'it broke'))
  expect(memory.keys()).toEqual([])
})

test('a request names beforehand what it will look up', () => {
  const memory = mapMemory()
  streamed(ANSWER, replyTo({}, memory))
  const messages = [{ role: 'user', content: 'Hello.' }, turnOf(), ...RESULTS]
  expect(recalls(plainCall({ ...ASKED, messages }))).toEqual(memory.keys())
  expect(recalls(plainCall('no object'))).toEqual([])
})

test('a memory that gives something else back is as good as empty', () => {
  const memory = { ...mapMemory(), get: () => ({ first: [{ type: 'text' }], before: [], after: [] }) }
  expect(next({ memory }).turn?.content).toMatchObject(PLAIN)
})
