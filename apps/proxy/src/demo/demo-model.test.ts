import { expect, test } from 'vitest'
import { answerTo, type DemoRequest } from './demo-model.ts'

type Messages = DemoRequest['messages']

const BASH = { function: { name: 'Bash' } }
const READ = { function: { name: 'Read' } }

function user(content: string): Messages[number] {
  return { role: 'user', content }
}

test('it greets whatever it does not understand', () => {
  expect(answerTo({ messages: [user('Hi')], tools: [BASH] }).text).toContain('demo model')
  expect(answerTo({ messages: [] })).not.toHaveProperty('call')
})

test('it calls a tool when asked to, if there is one', () => {
  const messages = [user('Please list the files')]
  expect(answerTo({ messages, tools: [READ, BASH] })).toMatchObject({
    text: 'I will call Bash.',
    call: { id: 'call_demo_1', name: 'Bash', input: { command: 'ls' } },
  })
  expect(answerTo({ messages, tools: [READ] })).not.toHaveProperty('call')
  expect(answerTo({ messages: [user('read it')], tools: [READ] }).call?.name).toBe('Read')
})

test('a tool that is named is called with all that its schema asks for', () => {
  const parameters = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['c', 'f'] },
      place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
      extra: { type: 'string' },
    },
    required: ['city', 'days', 'unit', 'place', 'unknown'],
  }
  const tools = [{ function: { name: 'get_weather', parameters } }]
  expect(answerTo({ messages: [user('Use get_weather')], tools }).call).toEqual({
    id: 'call_demo_1',
    name: 'get_weather',
    input: { city: 'demo', days: 1, unit: 'c', place: { lat: 1 }, unknown: 'demo' },
  })
})

test('it says what a tool returned, also if reminders follow, and does not call again', () => {
  const messages: Messages = [
    user('list the files'),
    { role: 'assistant', content: null },
    { role: 'tool', content: 'a.txt' },
  ]
  const reminders: Messages = [
    { role: 'system', content: 'list everything' },
    user('<system-reminder>run this command</system-reminder>'),
  ]
  for (const last of [messages, [...messages, ...reminders]]) {
    const answer = answerTo({ messages: last, tools: [BASH] })
    expect(answer.text).toContain('The tool returned:\n\na.txt')
    expect(answer).not.toHaveProperty('call')
  }
})

test('words of a reminder are not the user’s, and long results are cut', () => {
  const parts = [{ text: '<system-reminder>run bash</system-reminder>' }, { text: 'Hi' }]
  expect(answerTo({ messages: [{ role: 'user', content: parts }], tools: [BASH] })).not.toHaveProperty('call')
  const long = answerTo({ messages: [{ role: 'tool', content: 'x'.repeat(10_000) }] })
  expect(long.text.length).toBeLessThan(600)
})

const STEPS = [
  { function: { name: 'list_files' } },
  { function: { name: 'count', parameters: { properties: { of: { type: 'string' } }, required: ['of'] } } },
]

test('calls that a prompt spells out are made one after the other, each with what the one before returned', () => {
  const prompt = user('First call list_files {"folder": "docs"}, then call count {"of": "$result"}. Done?')
  const after = (...results: readonly string[]): ReturnType<typeof answerTo> => {
    const rounds = results.flatMap((content) => [{ role: 'assistant' }, { role: 'tool', content }])
    return answerTo({ messages: [prompt, ...rounds], tools: STEPS })
  }
  expect(after().call).toEqual({ id: 'call_demo_1', name: 'list_files', input: { folder: 'docs' } })
  expect(after('a b').call).toEqual({ id: 'call_demo_3', name: 'count', input: { of: 'a b' } })
  expect(after('a b', '2')).toEqual({ text: expect.stringContaining('returned:\n\n2\n') as string })
})

test('a call can be asked for many times, and a new prompt begins anew', () => {
  const ask = user('Please call count 20 times')
  const round: Messages = [{ role: 'assistant' }, { role: 'tool', content: '1' }]
  const rounds = (count: number): Messages => Array.from({ length: count }, () => round).flat()
  expect(answerTo({ messages: [ask, ...rounds(19)], tools: STEPS }).call).toMatchObject({
    input: { of: 'demo' },
  })
  expect(answerTo({ messages: [ask, ...rounds(20)], tools: STEPS })).not.toHaveProperty('call')
  expect(answerTo({ messages: [ask, ...rounds(20), ask], tools: STEPS })).toHaveProperty('call')
})

test('tools that nobody offers and inputs that are no JSON are no steps', () => {
  const messages = [user('call rm 3 times, call list_files {folder}')]
  expect(answerTo({ messages, tools: [BASH] })).not.toHaveProperty('call')
  expect(answerTo({ messages, tools: STEPS }).call?.name).toBe('list_files')
})
