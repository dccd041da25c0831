import { expect, test } from 'vitest'
import { HubError } from '../hub/error.ts'
import { stopFor } from '../hub/message.ts'
import type { MessageSink } from '../hub/sink.ts'
import { usageOf } from '../hub/usage.ts'
import { BlockWriter } from './block-writer.ts'

/** A sink that writes down what it hears. */
function listen(said: string[]): MessageSink {
  return {
    messageStart: ({ id }) => said.push(`start ${id}`),
    blockStart: ({ type }) => said.push(`[${type}`),
    text: (piece) => said.push(piece),
    thinking: (piece) => said.push(piece),
    signature: (value) => said.push(`#${value}`),
    inputJson: (piece) => said.push(piece),
    extra: ({ type }) => said.push(type),
    blockStop: () => said.push(']'),
    messageStop: ({ stop_reason: reason }) => said.push(`end ${reason}`),
    error: ({ message }) => said.push(`error ${message}`),
  }
}

function writer(stopSequences: readonly string[] = []): { said: string[]; writer: BlockWriter } {
  const said: string[] = []
  const head = { id: 'msg_1', model: 'm', usage: usageOf({}) }
  return {
    said,
    writer: new BlockWriter({ sink: listen(said), head, stopSequences, inputEstimate: 7 }),
  }
}

const CALL = { type: 'tool_use', id: 'c', name: 'Read' } as const
const USAGE = usageOf({ input_tokens: 1, output_tokens: 1 })
const citation = { type: 'citations_delta', citation: {} } as Parameters<BlockWriter['extra']>[0]

test('the message starts with the first content, and one block is open at a time', () => {
  const { said, writer: to } = writer()
  expect(to.started).toBe(false)
  to.text('')
  to.thinking('')
  expect(said).toEqual([])
  to.thinking('a')
  to.thinking('b')
  to.text('c')
  to.begin(CALL)
  to.inputJson('{')
  to.inputJson('')
  to.inputJson('}')
  to.stop(stopFor('tool_use'), USAGE)
  expect(said.join(' ')).toBe('start msg_1 [thinking a b ] [text c ] [tool_use { } ] end tool_use')
})

test('a message without content has a start and an end', () => {
  const { said, writer: to } = writer()
  to.stop(stopFor('end_turn'), USAGE)
  expect(said).toEqual(['start msg_1', 'end end_turn'])
})

test('a signature completes its thinking block, or is one of its own', () => {
  const { said, writer: to } = writer()
  to.thinking('a')
  to.signature('s')
  to.signature('t')
  to.thinking('b')
  to.closeBlock()
  to.closeBlock()
  expect(said.join(' ')).toBe('start msg_1 [thinking a #s ] [thinking #t ] [thinking b ]')
})

test('input without an open call is refused, and so is an extra delta without a block', () => {
  const { writer: to } = writer()
  expect(() => to.inputJson('{}')).toThrow('stream: tool input without an open tool call, but nothing')
  to.text('a')
  expect(() => to.inputJson('{}')).toThrow('but text')
  to.closeBlock()
  expect(() => to.extra({ type: 'signature_delta', signature: 's' })).toThrow(
    'signature_delta without an open block',
  )
})

test('a citation may come before the text that it belongs to', () => {
  const { said, writer: to } = writer()
  to.extra(citation)
  to.text('a')
  to.extra(citation)
  to.closeBlock()
  expect(said.join(' ')).toBe('start msg_1 [text citations_delta a citations_delta ]')
})

test('an error ends the message in the middle of a block, and nothing comes after it', () => {
  const { said, writer: to } = writer()
  to.text('a')
  const error = new HubError('api_error', 'no')
  to.fail(error)
  const before = said.join(' ')
  to.text('b')
  to.thinking('c')
  to.signature('d')
  to.begin(CALL)
  to.inputJson('{}')
  to.extra(citation)
  to.closeBlock()
  to.stop(stopFor('end_turn'), USAGE)
  to.fail(new HubError('api_error', 'again'))
  expect([before, said.join(' ')]).toEqual(['start msg_1 [text a error no', before])
  expect([to.ended, to.failure]).toEqual([true, error])
})

test('an error before the start comes alone', () => {
  const { said, writer: to } = writer()
  to.fail(new HubError('api_error', 'no'))
  expect([said, to.started]).toEqual([['error no'], false])
})

test('text ends at a stop sequence, whatever pieces it comes in', () => {
  const { said, writer: to } = writer(['STOP'])
  to.text('one two')
  to.text(' ST')
  to.text('OP three')
  to.text('four')
  expect(said.filter((word) => !word.startsWith('start')).join('')).toBe('[textone two ]end stop_sequence')
  expect(to.ended).toBe(true)
})

test('text that was held back comes before the block that follows it, in the block it belongs to', () => {
  const { said, writer: to } = writer(['STOP'])
  to.text('one ST')
  to.begin(CALL)
  to.inputJson('{}')
  to.text('OP')
  to.thinking('a')
  to.stop(stopFor('tool_use'), USAGE)
  expect(said.join(' ')).toBe(
    'start msg_1 [text one  ST ] [tool_use {} ] [text OP ] [thinking a ] end tool_use',
  )
})

test('text that is shorter than a stop sequence is not lost', () => {
  const { said, writer: to } = writer(['STOP'])
  to.text('a')
  to.stop(stopFor('end_turn'), USAGE)
  expect(said.join(' ')).toBe('start msg_1 [text a ] end end_turn')
})

test('the estimate counts what was written and is never zero', () => {
  const { writer: to } = writer()
  expect(to.estimatedUsage()).toMatchObject({ input_tokens: 7, output_tokens: 1 })
  to.text('a'.repeat(4))
  to.thinking('a'.repeat(4))
  to.begin(CALL)
  to.inputJson('a'.repeat(5))
  expect(to.estimatedUsage()).toMatchObject({ input_tokens: 7, output_tokens: 4 })
})

test('the summary says what the message came to', () => {
  const { writer: to } = writer()
  to.begin(CALL)
  expect(to.summary).toMatchObject({
    toolCalls: 1,
    usage: undefined,
    stopReason: undefined,
    isEstimated: false,
  })
  to.stop(stopFor('tool_use'), USAGE)
  expect(to.summary).toMatchObject({
    toolCalls: 1,
    usage: USAGE,
    stopReason: 'tool_use',
    isEstimated: false,
  })
})

test('input that went past the writer is input, and counts', () => {
  const { said, writer: to } = writer()
  expect(to.takesInputUnread).toBe(false)
  to.begin(CALL)
  expect(to.takesInputUnread).toBe(true)
  to.inputWritten(40)
  to.closeBlock()
  expect(to.takesInputUnread).toBe(false)
  expect(said).toEqual(['start msg_1', '[tool_use', ']'])
  expect(to.summary.outputEstimate).toBeGreaterThan(0)
})
