import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { call, calls, DONE, event, finish, more, usage } from '../../../test/streams/chat-chunks.ts'
import { chatTranslator, toBytes, translate } from '../../../test/streams/translator.ts'
import { ARGUMENTS, TextTemplate } from './text-template.ts'

const chunk = (content: string, extra: object = {}): string =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...extra })

const delta = (content: string): object => ({ choices: [{ index: 0, delta: { content } }] })

function learnt(data: string): TextTemplate {
  const template = new TextTemplate()
  template.learn(data, JSON.parse(data) as Record<string, unknown>)
  return template
}

test('a chunk that differs in its text alone gives its text, still escaped', () => {
  const template = learnt(chunk('one'))
  expect(template.match(chunk('two'))).toBe('two')
  expect(template.match(chunk('größer → "a"\n'))).toBe(String.raw`größer → \"a\"\n`)
})

test('a chunk that differs in anything else is not matched', () => {
  const template = learnt(chunk('one'))
  expect(template.match(chunk('two', { usage: null }))).toBeUndefined()
  expect(template.match(chunk('two').replace('"x"', '"y"'))).toBeUndefined()
  expect(template.match(chunk('two').replace('null', '"stop"'))).toBeUndefined()
  expect(template.match(chunk('two","role":"user'.replaceAll('"', '')))).toBe('two,role:user')
  expect(template.match(chunk('one').replace('"one"', '"two","role":"user"'))).toBeUndefined()
})

test('escapes that we would write otherwise are left to the parser', () => {
  const template = learnt(chunk('one'))
  const written = (text: string): string => chunk('one').replace('one', text)
  expect(template.match(written(String.raw`\u00e9`))).toBeUndefined()
  expect(template.match(written(String.raw`\/`))).toBeUndefined()
  expect(template.match(written('\u0001'))).toBeUndefined()
  expect(template.match(written('\\'))).toBeUndefined()
})

test.each([
  ['another choice', { choices: [{ index: 1, delta: { content: 'one' }, finish_reason: null }] }],
  ['thinking', { choices: [{ index: 0, delta: { content: 'one', reasoning: 'hm' }, finish_reason: null }] }],
  ['a finish', { choices: [{ index: 0, delta: { content: 'one' }, finish_reason: 'stop' }] }],
  ['usage', { choices: [{ index: 0, delta: { content: 'one' } }], usage: { prompt_tokens: 1 } }],
])('a chunk with %s beside its text is no template', (_name, value) => {
  const data = JSON.stringify(value)
  expect(learnt(data).match(data)).toBeUndefined()
})

test('a namesake of the text elsewhere in the chunk is not taken for it', () => {
  const data = '{"note":{"content":"one"},"choices":[{"delta":{"content":"\\u006fne"}}]}'
  expect(learnt(data).match(data.replace('"content":"one"', '"content":"two"'))).toBeUndefined()
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
  const template = new TextTemplate(ARGUMENTS)
  const data = further('{"a')
  template.learn(data, JSON.parse(data) as Record<string, unknown>)
  expect(template.match(further('":1}'))).toBe(String.raw`\":1}`)
  expect(template.match(further('":1}', { id: 'x' }))).toBeUndefined()
  const named = further('{"a', { id: 'x' })
  const other = new TextTemplate(ARGUMENTS)
  other.learn(named, JSON.parse(named) as Record<string, unknown>)
  expect(other.match(named)).toBeUndefined()
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

test('random text at the end of a chunk does not matter, but other fields there do', () => {
  const template = learnt(chunk('one', { obfuscation: 'aB3' }))
  expect(template.match(chunk('two', { obfuscation: 'x' }))).toBe('two')
  expect(template.match(chunk('two'))).toBe('two')
  expect(template.match(chunk('two', { obfuscation: 'x', usage: 'y' }))).toBeUndefined()
  expect(template.match(chunk('two', { obfuscation: 'x"' }))).toBeUndefined()
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

test('a run goes on behind random text at the end of an event, and behind nothing else there', () => {
  const template = learnt(chunk('one', { obfuscation: 'aB3' }))
  const padded = (content: string, extra: object): string => `data: ${chunk(content, extra)}\n\n`
  const run = padded('a', { obfuscation: 'x_9' }) + padded('b', {}) + padded('c', { obfuscation: '' })
  expect(runIn(template, run)).toEqual([['a', 'b', 'c'], run.length])
  for (const extra of [{ obfuscation: 'x', usage: 'y' }, { obfuscation: 'x"' }, { obfuscation: 'ü' }]) {
    expect(runIn(template, padded('a', {}) + padded('b', extra))[0]).toEqual(['a'])
  }
  expect(runIn(template, run.slice(0, -3))[0]).toEqual(['a', 'b'])
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
