import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { call, calls, DONE, event, finish, more, usage } from '../../test/streams/chat-chunks.ts'
import { chatTranslator, toBytes, translate } from '../../test/streams/translator.ts'
import { ARGUMENTS, CONTENT } from '../dialects/openai-chat/varying-text.ts'
import { TextTemplate } from './text-template.ts'
import { BLANKS_AT_END, numberIn, type VaryingText } from './varying-text.ts'

const chunk = (content: string, extra: object = {}): string =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...extra })

const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] })

function learnt(data: string, varying: VaryingText = CONTENT, name?: string): TextTemplate {
  const template = new TextTemplate(varying)
  template.learn(name, data, JSON.parse(data) as Record<string, unknown>)
  return template
}

/** The text of an event that has the learnt shape. */
function match(template: TextTemplate, data: string): string | undefined {
  return runIn(template, `data: ${data}\n\n`)[0][0]
}

test('a chunk that differs in its text alone gives its text, still escaped', () => {
  const template = learnt(chunk('one'))
  expect(match(template, chunk('two'))).toBe('two')
  expect(match(template, chunk('größer → "a"\n'))).toBe(String.raw`größer → \"a\"\n`)
})

test('a chunk that differs in anything else is not matched', () => {
  const template = learnt(chunk('one'))
  expect(match(template, chunk('two', { usage: null }))).toBeUndefined()
  expect(match(template, chunk('two').replace('"x"', '"y"'))).toBeUndefined()
  expect(match(template, chunk('two').replace('null', '"stop"'))).toBeUndefined()
  expect(match(template, chunk('two","role":"user'.replaceAll('"', '')))).toBe('two,role:user')
  expect(match(template, chunk('one').replace('"one"', '"two","role":"user"'))).toBeUndefined()
})

test('escapes that we would write otherwise are left to the parser', () => {
  const template = learnt(chunk('one'))
  const written = (text: string): string => chunk('one').replace('one', text)
  expect(match(template, written(String.raw`\u00e9`))).toBeUndefined()
  expect(match(template, written(String.raw`\/`))).toBeUndefined()
  expect(match(template, written('\u0001'))).toBeUndefined()
  expect(match(template, written('\\'))).toBeUndefined()
})

test.each([
  ['another choice', { choices: [{ index: 1, delta: { content: 'one' }, finish_reason: null }] }],
  ['thinking', { choices: [{ index: 0, delta: { content: 'one', reasoning: 'hm' }, finish_reason: null }] }],
  ['a finish', { choices: [{ index: 0, delta: { content: 'one' }, finish_reason: 'stop' }] }],
  ['usage', { choices: [{ index: 0, delta: { content: 'one' } }], usage: { prompt_tokens: 1 } }],
])('a chunk with %s beside its text is no template', (_name, value) => {
  const data = JSON.stringify(value)
  expect(match(learnt(data), data)).toBeUndefined()
})

test('a namesake of the text elsewhere in the chunk is not taken for it', () => {
  const data = '{"note":{"content":"one"},"choices":[{"delta":{"content":"\\u006fne"}}]}'
  expect(match(learnt(data), data.replace('"content":"one"', '"content":"two"'))).toBeUndefined()
})

test('text that is copied gives the same bytes as text that is parsed', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '"', '\\', 'a→b', '🎉', ' word'),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const ending = finish('stop', usage(5, 3)) + DONE
      const copied = pieces.map((text) => event(delta(text))).join('')
      const parsed = pieces.map((text, index) => event({ ...delta(text), padding: `${index}` })).join('')
      expect(translate(chatTranslator(), copied + ending)).toBe(translate(chatTranslator(), parsed + ending))
    }),
  )
})

const further = (json: string, extra: object = {}): string =>
  JSON.stringify({
    choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: json }, ...extra }] } }],
  })

test('a further piece of arguments gives its text, but not one that names its call', () => {
  const template = learnt(further('{"a'), ARGUMENTS)
  expect(match(template, further('":1}'))).toBe(String.raw`\":1}`)
  expect(match(template, further('":1}', { id: 'x' }))).toBeUndefined()
  const named = further('{"a', { id: 'x' })
  expect(match(learnt(named, ARGUMENTS), named)).toBeUndefined()
})

test('arguments that are copied give the same bytes as arguments that are parsed', () => {
  const pieces = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '{', '}')), {
    minLength: 1,
  })
  fc.assert(
    fc.property(pieces, fc.constantFrom(0, 1), (parts, other) => {
      const start = calls(call(0, 'a', 'Read', '{"x":"')) + calls(call(1, 'b', 'Bash', '{'))
      const ending = finish('tool_calls', usage(5, 3)) + DONE
      const copied = parts.map((json, index) => calls(more(index % 2 === 0 ? 0 : other, json))).join('')
      const padded = copied.replaceAll(/^data: \{/gm, () => `data: {"padding":"${(padding += 1)}",`)
      expect(translate(chatTranslator(), start + copied + ending)).toBe(
        translate(chatTranslator(), start + padded + ending),
      )
    }),
  )
})

let padding = 0

test('random text in a chunk does not matter, but other fields there do', () => {
  const template = learnt(chunk('one', { obfuscation: 'aB3' }))
  expect(match(template, chunk('two', { obfuscation: 'x' }))).toBe('two')
  expect(match(template, chunk('two', { obfuscation: '' }))).toBe('two')
  expect(match(template, chunk('two'))).toBeUndefined()
  expect(match(template, chunk('two', { obfuscation: 'x', usage: 'y' }))).toBeUndefined()
  expect(match(template, chunk('two', { obfuscation: 'x"' }))).toBeUndefined()
})

const events = (...texts: readonly string[]): string =>
  texts.map((text) => `data: ${chunk(text)}\n\n`).join('')

/** The texts of the run that begins at a place, and how many bytes of the stream they take. */
function runIn(template: TextTemplate, stream: string | Uint8Array, from = 0): [string[], number] {
  const bytes = typeof stream === 'string' ? toBytes(stream) : stream
  const found = template.findRun(bytes, from)
  if (found === undefined) return [[], 0]
  const { texts, end } = found
  return [Array.from({ length: texts.count }, (_, index) => texts.textAt(index)), end - from]
}

test('events that follow one another are found together, up to the first that differs', () => {
  const template = learnt(chunk('one'))
  const run = events('a', 'größer "b"\n', 'c')
  const first = events('a').length
  expect(runIn(template, run)).toEqual([['a', String.raw`größer \"b\"\n`, 'c'], toBytes(run).length])
  const other = `data: ${chunk('b', { usage: null })}\n\n`
  expect(runIn(template, `${events('a')}${other}${events('c')}`)).toEqual([['a'], first])
  expect(runIn(template, events('a', '', 'c'))).toEqual([['a'], first])
  const namesake = events('b').replace('"x"', '"y"')
  expect(runIn(template, events('a') + namesake + events('c'))).toEqual([['a'], first])
  expect(runIn(template, run.slice(0, -1))[0]).toEqual(['a', String.raw`größer \"b\"\n`])
  expect(runIn(template, `: comment\n\n${run}`)).toEqual([[], 0])
  expect(runIn(template, `: comment\n\n${run}`, ': comment\n\n'.length)[0]).toHaveLength(3)
})

test('a run goes on behind random text in an event, and behind nothing else there', () => {
  const template = learnt(chunk('one', { obfuscation: 'aB3' }))
  const padded = (content: string, extra: object): string => `data: ${chunk(content, extra)}\n\n`
  const run = ['x_9', 'y', ''].map((word) => padded('a', { obfuscation: word })).join('')
  expect(runIn(template, run)).toEqual([['a', 'a', 'a'], run.length])
  for (const extra of [{ obfuscation: 'x', usage: 'y' }, { obfuscation: 'x"' }, { obfuscation: 'ü' }]) {
    expect(runIn(template, padded('a', { obfuscation: 'x' }) + padded('b', extra))[0]).toEqual(['a'])
  }
  expect(runIn(template, run.slice(0, -3))[0]).toEqual(['a', 'a'])
})

const NUMBERED: VaryingText = {
  key: 'delta',
  textOf: ({ type, delta: text }) => (type === 'delta' && typeof text === 'string' ? text : undefined),
  holes: [numberIn('number'), BLANKS_AT_END],
}
const numbered = (number: string, text: string, blanks = ''): string =>
  `{"type":"delta","number":${number},"delta":"${text}"${blanks}}`

test('numbers and blanks may differ, and the numbers of the last event are known', () => {
  const template = learnt(numbered('8', 'one'), NUMBERED, 'e')
  const given = [numbered('9', 'a'), numbered('10', 'b', '   '), numbered('0', 'c', ' ')]
  const stream = given.map((data) => `event: e\ndata: ${data}\n\n`).join('')
  expect(runIn(template, stream)).toEqual([['a', 'b', 'c'], stream.length])
  expect(template.numbers).toEqual({ number: 0 })
})

test.each(['08', '-1', '1.5', '1e3', '"9"', '', '12345678901234567'])(
  '%s is left to the parser',
  (number) => {
    const template = learnt(numbered('8', 'one'), NUMBERED)
    expect(match(template, numbered('9', 'a'))).toBe('a')
    expect(match(template, numbered(number, 'a'))).toBeUndefined()
  },
)

test('what looks like a number or a field inside of a text is text', () => {
  const template = learnt(numbered('8', String.raw`\"number\":5`), NUMBERED)
  expect(match(template, numbered('9', String.raw`\"number\":77`))).toBe(String.raw`\"number\":77`)
  expect(template.numbers).toEqual({ number: 9 })
})

test.each([
  ['lines that end as in MIME', 'event: e\r\ndata: ', '\r\n\r\n'],
  ['no blank behind the colon', 'event: e\ndata:', '\n\n'],
])('events with %s are known as well', (_name, header, end) => {
  const stream = header + numbered('1', 'a') + end + header + numbered('2', 'b') + end
  expect(runIn(learnt(numbered('8', 'one'), NUMBERED, 'e'), stream)).toEqual([['a', 'b'], stream.length])
})

test.each([
  ['another name', 'event: f\ndata: ', '\n\n'],
  ['no name', 'data: ', '\n\n'],
  ['a line more', 'event: e\nid: 1\ndata: ', '\n\n'],
  ['a line more at the end', 'event: e\ndata: ', '\nid: 1\n\n'],
])('events with %s are left to the parser', (_name, header, end) => {
  const stream = header + numbered('1', 'a') + end
  expect(runIn(learnt(numbered('8', 'one'), NUMBERED, 'e'), stream)).toEqual([[], 0])
})

test('an event whose data is on several lines is no template', () => {
  const data = '{"type":"delta",\n"number":8,"delta":"one"}'
  expect(match(learnt(data, NUMBERED), data)).toBeUndefined()
})

test('a run is counted as its texts would be', () => {
  const template = learnt(chunk('one'))
  const texts = ['größer → 🎉', 'a\n"b"\\', 'plain']
  expect(template.findRun(toBytes(events(...texts)), 0)?.texts.length).toBe(texts.join('').length)
})

test('bytes that are no text are left to the decoder', () => {
  const template = learnt(chunk('one'))
  const broken = Buffer.from(events('a', 'X', 'b'), 'latin1').map((byte) => (byte === 0x58 ? 0xff : byte))
  expect(runIn(template, broken)).toEqual([[], 0])
})

test('a run that is too long goes on as another one', () => {
  const texts = Array.from({ length: 2500 }, (_, index) => `w${index}`)
  const text = translate(chatTranslator(), event(delta('one')) + events(...texts) + finish('stop') + DONE)
  expect(text.match(/"text":"w\d+"/g)).toEqual(texts.map((word) => `"text":"${word}"`))
})
