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
