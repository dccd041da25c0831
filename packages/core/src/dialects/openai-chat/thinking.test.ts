import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import { call, calls, delta, finish, text, usage } from '../../../test/streams/chat-chunks.ts'

const END = text('So.') + finish('stop', usage(5, 3))
const detail = (type: string, field: string, value: string): object => ({
  type: `reasoning.${type}`,
  [field]: value,
})

test.for(['reasoning_content', 'reasoning', 'reasoning_text'])('T4 %s is thinking', (field) => {
  const body = delta({ [field]: 'Hm, ' }) + delta({ [field]: 'well' }) + END
  expect(answerTo(body).blocks).toEqual(['thinking Hm, well', 'text So.'])
})

const signed = (thinking: string, signature?: string): string =>
  delta({ content: '', thinking_blocks: [{ type: 'thinking', thinking, signature }] })

test('T4 reasoning_details are thinking, texts and summaries', () => {
  const body =
    delta({ reasoning_details: [detail('text', 'text', 'Hm, '), detail('summary', 'summary', 'well')] }) + END
  const { blocks, notes } = answerTo(body)
  expect([blocks, notes]).toEqual([['thinking Hm, well', 'text So.'], []])
})

test('T4 several fields with the same text are one piece', () => {
  const details = [detail('text', 'text', 'Hm')]
  const same = { reasoning_content: 'Hm', reasoning: 'Hm', reasoning_text: 'Hm', reasoning_details: details }
  const { blocks, notes } = answerTo(delta(same) + END)
  expect([blocks, notes]).toEqual([['thinking Hm', 'text So.'], []])
})

test('T4 several fields with different texts give the first, with a note', () => {
  const { blocks, notes } = answerTo(delta({ reasoning_content: 'one', reasoning: 'two' }) + END)
  expect([blocks, notes]).toEqual([['thinking one', 'text So.'], ['reasoning_differs']])
})

test('T4 empty and null fields say nothing', () => {
  const body = delta({ reasoning_content: '', reasoning: null, reasoning_details: [] }) + END
  expect(answerTo(body).blocks).toEqual(['text So.'])
})

test('T4 reasoning without plain text is left out with a note', () => {
  const { blocks, notes } = answerTo(delta({ reasoning_details: [detail('encrypted', 'data', 'x')] }) + END)
  expect([blocks, notes]).toEqual([['text So.'], ['reasoning_dropped']])
})

test('T4 encrypted reasoning leaves a note beside words too', () => {
  const details = [detail('text', 'text', 'Hm'), detail('encrypted', 'data', 'x')]
  const { blocks, notes } = answerTo(delta({ reasoning: 'Hm', reasoning_details: details }) + END)
  expect([blocks, notes]).toEqual([['thinking Hm', 'text So.'], ['reasoning_dropped']])
})

const reasoning = (...summary: readonly object[]): object => ({ type: 'reasoning', summary })
const words = (told: string, signature = ''): object => ({ type: 'summary_text', text: told, signature })

test("T4 Databricks' parts of reasoning are thinking, and a proof among them leaves a note", () => {
  const pieces =
    delta({ content: [reasoning(words('Hm, '))] }) + delta({ content: [reasoning(words('well'))] })
  const plain = answerTo(pieces + END)
  expect([plain.blocks, plain.notes]).toEqual([['thinking Hm, well', 'text So.'], []])
  for (const proof of [words('', 's'), { type: 'summary_encrypted_text', data: 'x' }]) {
    const { blocks, notes } = answerTo(pieces + delta({ content: [reasoning(proof)] }) + END)
    expect([blocks, notes]).toEqual([['thinking Hm, well', 'text So.'], ['reasoning_dropped']])
  }
})

test('T4 reasoning beside the text in one content is thinking before it', () => {
  const content = [reasoning(words('Hm')), { type: 'text', text: 'Hi. ' }]
  expect(answerTo(delta({ content }) + END).blocks).toEqual(['thinking Hm', 'text Hi. So.'])
})

const anthropics = (fields: object): object => ({
  type: 'reasoning.text',
  format: 'anthropic-claude-v1',
  ...fields,
})

test("T7 Anthropic's signature in reasoning_details is kept, with or without the words beside it", () => {
  const body =
    delta({ reasoning: 'I add.', reasoning_details: [anthropics({ text: 'I add.' })] }) +
    delta({ reasoning: null, reasoning_details: [anthropics({ signature: 'sig1' })] }) +
    END
  const { blocks, notes } = answerTo(body)
  expect([blocks, notes]).toEqual([['thinking I add. #sig1', 'text So.'], []])
})

test('T7 two signed details of one answer stay two thoughts', () => {
  const details = [anthropics({ text: 'a', signature: 's1' }), anthropics({ text: 'b', signature: 's2' })]
  const { blocks } = answerTo(delta({ reasoning: 'ab', reasoning_details: details }) + END)
  expect(blocks).toEqual(['thinking a #s1', 'thinking b #s2', 'text So.'])
})

test.for([
  { reasoning: 'Hm', reasoning_details: [{ ...detail('text', 'text', 'Hm'), signature: 's' }] },
  { reasoning: 'Hm', reasoning_details: [anthropics({ text: 'other words', signature: 's' })] },
  { reasoning: 'Hm', thinking_blocks: [{ type: 'redacted_thinking', data: 'x' }] },
])('T7 a signature or a thought that cannot be passed on leaves a note: %j', (fields) => {
  const { blocks, notes } = answerTo(delta(fields) + END)
  expect([blocks, notes]).toEqual([['thinking Hm', 'text So.'], ['reasoning_dropped']])
})

test('T7 a signed thinking block is thinking and its signature', () => {
  expect(answerTo(signed('I ') + signed('add.') + signed('', 'sig1') + END).blocks).toEqual([
    'thinking I add. #sig1',
    'text So.',
  ])
})

test('T7 the same piece as reasoning_content is not told twice', () => {
  const body =
    delta({ reasoning_content: 'I add.', thinking_blocks: [{ thinking: 'I add.' }] }) +
    delta({ thinking_blocks: [{ thinking: '', signature: 'sig1' }] }) +
    END
  expect(answerTo(body).blocks).toEqual(['thinking I add. #sig1', 'text So.'])
})

test('T7 two signed blocks stay two, and one may be all signature', () => {
  const body =
    delta({
      thinking_blocks: [
        { thinking: 'a', signature: 's1' },
        { thinking: '', signature: 's2' },
      ],
    }) + END
  expect(answerTo(body).blocks).toEqual(['thinking a #s1', 'thinking  #s2', 'text So.'])
})

test('T7 a signature that comes in the middle of a call waits for its turn', () => {
  const body =
    calls(call(0, 'c', 'Read', '{"a":')) +
    delta({ thinking_blocks: [{ thinking: 'Hm', signature: 's1' }] }) +
    calls({ index: 0, function: { arguments: '1}' } }) +
    END
  expect(answerTo(body).blocks).toEqual(['c Read {"a":1}', 'thinking Hm #s1', 'text So.'])
})
