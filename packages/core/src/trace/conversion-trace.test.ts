import { expect, test } from 'vitest'
import { encode, requestWith } from '../../test/requests/encode.ts'
import { anthropic } from '../dialects/anthropic/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { profiles } from '../providers/providers.ts'
import { traceConversion } from './conversion-trace.ts'

const SECRET = 'the secret words'
const BODY = requestWith({
  system: SECRET,
  messages: [
    { role: 'user', content: SECRET },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: SECRET },
        { type: 'tool_use', id: 't1', name: 'Read', input: { path: SECRET } },
        { type: 'tool_use', id: 't2', name: 'Read', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: SECRET }] },
  ],
})
const { request } = anthropic.client.decodeRequest({ body: BODY })

test('a trace shows message by message what went in and what came out', () => {
  const encoded = encode(BODY)
  const trace = traceConversion(request, encoded, openaiChat.upstream)
  expect(trace.input).toEqual([
    { index: 0, role: 'user', blocks: { text: 1 }, calls: 0, results: 0 },
    { index: 1, role: 'assistant', blocks: { text: 1, tool_use: 2 }, calls: 2, results: 0 },
    { index: 2, role: 'user', blocks: { tool_result: 1 }, calls: 0, results: 1 },
  ])
  expect(trace.output).toEqual([
    { index: 0, role: 'system', blocks: { text: 1 }, calls: 0, results: 0 },
    { index: 1, role: 'user', blocks: { text: 1 }, calls: 0, results: 0 },
    { index: 2, role: 'assistant', blocks: { text: 1 }, calls: 2, results: 0 },
    { index: 3, role: 'tool', blocks: { text: 1 }, calls: 0, results: 1 },
    { index: 4, role: 'tool', blocks: { text: 1 }, calls: 0, results: 1 },
  ])
  expect(trace.notes).toEqual(encoded.notes)
})

test('a trace has no words of the conversation', () => {
  const trace = traceConversion(request, encode(BODY), openaiChat.upstream)
  expect(JSON.stringify(trace)).not.toContain(SECRET)
})

test('a trace of a request to Anthropic has the same form on both sides', () => {
  const encoded = anthropic.upstream.encodeRequest(request, { model: 'm', profile: profiles.anthropic })
  const trace = traceConversion(request, encoded, anthropic.upstream)
  expect(trace.output.map(({ role, calls, results }) => [role, calls, results])).toEqual([
    ['user', 0, 0],
    ['assistant', 2, 0],
    ['user', 0, 2],
  ])
})
