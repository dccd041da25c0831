import * as fc from 'fast-check'
import { anthropic, openaiChat, profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { type Replace, replacementOf } from './replace.ts'
import { collectThirdParty, type ThirdParty } from './third-party.ts'

const PROMPT = 'Please count the files in this folder.'
const isOwn = (line: string): boolean => line === PROMPT || line === 'seventeen files were counted'

/** A request such as Claude Code sends it. */
const REQUEST = {
  model: 'claude-test',
  max_tokens: 100,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=1.2.3; cc_entrypoint=cli;' },
    { type: 'text', text: 'You are an agent of somebody.\nDo "good" things — always.' },
  ],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'text',
          text: '<system-reminder>\nThis reminder was written by the maker.\n</system-reminder>',
        },
        { type: 'text', text: PROMPT },
      ],
    },
    { role: 'system', content: 'Your working directory is /somewhere/else.' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'ls' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          is_error: true,
          content:
            '<tool_use_error>seventeen files were counted\nThe tool has no permission to do so.</tool_use_error>',
        },
      ],
    },
  ],
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command.',
      input_schema: {
        type: 'object',
        title: 'The input of Bash',
        properties: { command: { type: 'string', description: 'Runs' }, description: { type: 'string' } },
      },
    },
  ],
}

function replacement(body: unknown): Replace {
  const found: ThirdParty = { texts: new Set(), descriptions: new Set() }
  collectThirdParty(body, isOwn, found)
  return replacementOf(found)
}

function replacedIn(body: unknown, replace = replacement(body)): unknown {
  return JSON.parse(Buffer.from(replace(Buffer.from(JSON.stringify(body)))).toString())
}

/** What the upstream is sent for a request. */
function translated(body: unknown): unknown {
  const { request } = anthropic.client.decodeRequest({ body })
  const target = { model: 'gpt-test', profile: profiles.openai }
  return JSON.parse(JSON.stringify(openaiChat.upstream.encodeRequest(request, target).body))
}

test('what the maker of the client wrote is gone, and what is ours or protocol is left', () => {
  const { system, messages, tools } = replacedIn(REQUEST) as typeof REQUEST
  expect(system[0]?.text).toBe(REQUEST.system[0]?.text)
  expect(system[1]?.text).toBe('0001 placeholder text, 0001 p\n000"1 pl"aceholder text, 000')
  expect(JSON.stringify(messages[0])).toContain(
    String.raw`<system-reminder>\n0003 placeholder text, 0003 placeholder\n</system-reminder>`,
  )
  expect(JSON.stringify(messages[0])).toContain(PROMPT)
  expect(JSON.stringify(messages[1])).not.toContain('/somewhere/else')
  expect(messages[2]).toEqual(REQUEST.messages[2])
  expect(JSON.stringify(messages[3])).toMatch(
    /<tool_use_error>seventeen files were counted\\n\d{4} placeholder/,
  )
  expect(JSON.stringify(tools)).not.toMatch(/Runs|The input/)
  expect(Object.keys(tools[0]?.input_schema.properties ?? {})).toEqual(['command', 'description'])
})

test('both legs are changed in the same way: the translation of the one is the other', () => {
  const replace = replacement(REQUEST)
  expect(replacedIn(translated(REQUEST), replace)).toEqual(translated(replacedIn(REQUEST, replace)))
})

test('a body keeps its length, whatever the texts are', () => {
  const words = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .map((text) => text.toWellFormed())
  fc.assert(
    fc.property(words, words, words, (system, reminder, description) => {
      const text = `<system-reminder>${reminder}</system-reminder>`
      const body = {
        system,
        messages: [{ role: 'user', content: text }],
        tools: [{ name: 'x', description }],
      }
      const bytes = Buffer.from(JSON.stringify(body))
      expect(replacement(body)(bytes)).toHaveLength(bytes.length)
    }),
  )
})

test('a body that would not be written again as it was is refused', () => {
  const replace = replacementOf({ texts: new Set(), descriptions: new Set() })
  expect(() => replace(Buffer.from('{"model": "spaced"}'))).toThrow('not as JSON.stringify writes it')
})

test('what Gemini CLI adds is replaced: its prompt, its reminders, what its tools say around ours', () => {
  const body = {
    contents: [
      {
        role: 'user',
        parts: [{ text: '<session_context>\nThe date of today is a secret.' }, { text: PROMPT }],
      },
      { role: 'model', parts: [{ functionCall: { name: 'run', args: { command: 'ls the whole folder' } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'run', response: { output: 'The output of it:\nseventeen' } } }],
      },
    ],
    systemInstruction: { role: 'user', parts: [{ text: 'You are an agent of somebody else.' }] },
    tools: [{ functionDeclarations: [{ name: 'run', description: 'Runs it.' }] }],
  }
  const found: ThirdParty = { texts: new Set(), descriptions: new Set() }
  collectThirdParty(body, isOwn, found)
  expect(found.texts).toEqual(
    new Set(['You are an agent of somebody else.', 'The date of today is a secret.', 'The output of it:']),
  )
  expect(found.descriptions).toEqual(new Set(['Runs it.']))
})
