import { expect, test } from 'vitest'
import { call, calls, delta, event, finish, text, usage } from '../../../test/streams/chat-chunks.ts'
import { readStream } from '../../../test/streams/grammar.ts'
import { parseEvents } from '../../../test/streams/sse-events.ts'
import { chatTranslator, translate } from '../../../test/streams/translator.ts'

const END = finish('stop', usage(5, 3))
const about = (url: string, title = ''): object => ({ type: 'url_citation', url_citation: { url, title } })
const cited = (...annotations: object[]): string => delta({ content: '', annotations })

/** What is written, as `text a`, `cites https://…` and the names of other blocks, and the codes of the notes. */
function told(body: string): { steps: string[]; notes: string[] } {
  const translator = chatTranslator()
  const output = translate(translator, body)
  readStream(output)
  const steps = parseEvents(output).flatMap((step) => {
    if (step.type === 'content_block_start')
      return step.content_block.type === 'text' ? [] : [step.content_block.type]
    if (step.type !== 'content_block_delta') return []
    if (step.delta.type === 'text_delta') return [`text ${step.delta.text}`]
    const citation = step.delta.type === 'citations_delta' ? step.delta.citation : undefined
    return citation?.type === 'web_search_result_location' ? [`cites ${citation.url} ${citation.title}`] : []
  })
  return { steps, notes: translator.notes.map(({ code }) => code) }
}

test('annotations that name a page are citations of the text', () => {
  const { steps, notes } = told(
    text('a') + cited(about('https://x.test', 'X'), about('https://y.test')) + END,
  )
  expect(steps).toEqual(['text a', 'cites https://x.test X', 'cites https://y.test null'])
  expect(notes).toEqual([])
})

test('annotations of a whole answer come before its calls', () => {
  const message = {
    content: 'a',
    annotations: [about('https://x.test', 'X')],
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'Read', arguments: '{}' } }],
  }
  const body = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], ...usage(1, 1) })
  expect(told(body).steps).toEqual(['text a', 'cites https://x.test X', 'tool_use'])
})

test('annotations before any text wait for it, and without one leave a note', () => {
  expect(told(delta({ reasoning: 'Hm' }) + cited(about('https://x.test', 'X')) + text('a') + END)).toEqual({
    steps: ['thinking', 'text a', 'cites https://x.test X'],
    notes: [],
  })
  const late = text('a') + calls(call(0, 'c', 'Read', '{}')) + cited(about('https://x.test')) + END
  expect(told(late)).toEqual({ steps: ['text a', 'tool_use'], notes: ['annotation_dropped'] })
})

test('an annotation that names no page leaves a note', () => {
  const { steps, notes } = told(text('a') + cited({ type: 'file', file: {} }, { type: 'url_citation' }) + END)
  expect([steps, notes]).toEqual([['text a'], ['annotation_dropped']])
})

test("Perplexity's sources are cited once, in the order of their numbers", () => {
  const citations = ['https://y.test', 'https://x.test']
  const search_results = [{ url: 'https://x.test', title: 'X' }]
  const said = (content: string): string =>
    event({ choices: [{ index: 0, delta: { content } }], citations, search_results })
  const { steps } = told(said('a') + said(' [1]') + END)
  expect(steps).toEqual(['text a', 'text  [1]', 'cites https://y.test null', 'cites https://x.test X'])
})
