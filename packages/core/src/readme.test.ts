import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
const folder = mkdtempSync(join(tmpdir(), 'hydra-readme-'))

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs an example as a program of its own, on the sources of this package, and gives back what it prints. */
function printed(example: string): string {
  const program = example.replaceAll(`'@hydra/core'`, `'${new URL('index.ts', import.meta.url)}'`)
  const file = join(folder, `example-${examples.indexOf(example)}.ts`)
  writeFileSync(file, program)
  return execFileSync(process.execPath, [file], { encoding: 'utf8' })
}

/** The first example with these words in it. */
function exampleWith(words: string): string {
  const example = examples.find((candidate) => candidate.includes(words))
  if (example === undefined) throw new Error(`the README has no example with ${words}`)
  return example
}

test('the example of the README prints the request and the events of the answer', () => {
  const [request, ...lines] = printed(exampleWith('translateStream')).split('\n')
  expect(JSON.parse(request ?? '')).toMatchObject({
    model: 'gpt-4.1',
    max_completion_tokens: 1024,
    stream: true,
    messages: [{ role: 'user', content: 'What is in README.md?' }],
    tools: [{ type: 'function', function: { name: 'Read' } }],
  })

  const events = lines
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
  expect(events).toMatchObject([
    { type: 'message_start', message: { id: 'msg_1', model: 'claude-sonnet-4-5', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I will ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'look.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'call_1', name: 'Read' },
    },
    { type: 'content_block_delta', index: 1, delta: { partial_json: '{"path":"README.md"}' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 61, output_tokens: 17 },
    },
    { type: 'message_stop' },
  ])
})

test.each([
  ['validate(messages)', /call_without_result .*\n3 \[[^]*result_invented[^]*\n\[\]/],
  [
    'decodeError',
    /invalid_request_error { tokens: 9000, output: undefined, limit: 8192 }\n[^]*status: 400[^]*prompt is too long: 9000 tokens > 8192 maximum/,
  ],
  ['profiles.generic', /openai azure .* generic mine/],
  ['traceConversion', /sampling_dropped/],
  ['new AnswerReader', /^Hello end_turn\n$/],
])('the example of the README with %s prints what it promises', (words, promised) => {
  expect(printed(exampleWith(words))).toMatch(promised)
})

test('every example of the README is run here', () => {
  expect(examples).toHaveLength(6)
})
