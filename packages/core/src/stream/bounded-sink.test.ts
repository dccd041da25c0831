import { expect, test } from 'vitest'
import { HubError } from '../hub/error.ts'
import type { BlockHead, MessageSink } from '../hub/sink.ts'
import { BoundedSink } from './bounded-sink.ts'
import { Collector } from './collect.ts'

const SEARCH: BlockHead = {
  type: 'whole',
  block: { type: 'redacted_thinking', data: 'x'.repeat(1000) },
}

/** What is heard of each thing that an upstream can send without an end. */
const KINDS: Readonly<Record<string, (sink: MessageSink) => void>> = {
  text: (sink) => sink.text('x'),
  thinking: (sink) => sink.thinking('x'),
  'tool input': (sink) => sink.inputJson('x'),
  'empty blocks': (sink) => sink.blockStart({ type: 'text' }),
  'whole blocks': (sink) => sink.blockStart(SEARCH),
  signatures: (sink) => sink.signature('x'.repeat(100)),
  citations: (sink) =>
    sink.extra({
      type: 'citations_delta',
      citation: {
        type: 'char_location',
        cited_text: 'x',
        document_index: 0,
        document_title: null,
        file_id: null,
        start_char_index: 0,
        end_char_index: 1,
      },
    }),
}

test.each(Object.keys(KINDS))('%s without an end are kept up to a bound', (kind) => {
  const sink = new BoundedSink(new Collector(), 100_000)
  let count = 0
  const flood = (): void => {
    for (; count < 100_000; count += 1) KINDS[kind]?.(sink)
  }
  expect(flood).toThrow(HubError)
  expect(count).toBeGreaterThan(10)
  // What it costs to keep a piece counts as well, so pieces of one character come to their end early.
  expect(count).toBeLessThan(10_000)
})

test('what fails is not worth another try', () => {
  const sink = new BoundedSink(new Collector(), 10)
  try {
    sink.text('x'.repeat(11))
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ status: 502, shouldRetry: false })
  }
})
