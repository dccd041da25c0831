import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '@hydra/cli'
import type { HubMessage, ProfileName } from '@hydra/core'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary.ts'
import { explainFile } from './explain.ts'
import { parseExplainOptions } from './explain-options.ts'
import type { Explanation } from './explanation.ts'
import { explanationText } from './explanation-text.ts'

const FIXTURES = fileURLToPath(new URL('../../../../fixtures', import.meta.url))

const DOCUMENT = readFileSync(new URL('../../../../docs/explain.md', import.meta.url), 'utf8')

function requestFile(fields: object): string {
  const file = join(temporaryFolder(), 'request.json')
  writeFileSync(file, bodyOf(fields))
  return file
}

function bodyOf(fields: object): string {
  return JSON.stringify({ model: 'claude-x', max_tokens: 100, ...fields })
}

function explained(file: string, ...args: readonly string[]): Promise<Explanation> {
  return explainFile(parseExplainOptions([file, ...args]))
}

async function textOf(messages: readonly HubMessage[], ...args: readonly string[]): Promise<string> {
  return explanationText(await explained(requestFile({ messages }), ...args))
}

/** The results of three calls over several user messages, out of order, one of them missing. */
const SPLIT: readonly HubMessage[] = [
  { role: 'user', content: 'Is index.html committed?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'git diff' } },
      { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'git status' } },
      { type: 'tool_use', id: 't3', name: 'Bash', input: { command: 'git log' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'clean' }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '' }] },
  { role: 'user', content: 'Are you there?' },
]

test('a reader sees at once where each of the split results went', async () => {
  expect(await textOf(SPLIT)).toBe(`\
request.json: 5 messages became 6
for openai-chat, profile generic, model claude-x

in, and where it went
  [0] user
    [0].0 text "Is index.html committed?"           → [0] user
  [1] assistant
    [1].0 text "I will look."                       → [1] assistant
    [1].1 tool_use t1 Bash {"command":"git diff"}   → [1] assistant tool_calls[0]
    [1].2 tool_use t2 Bash {"command":"git status"} → [1] assistant tool_calls[1]
    [1].3 tool_use t3 Bash {"command":"git log"}    → [1] assistant tool_calls[2] (result_invented)
  [2] user
    [2].0 tool_result of t2 "clean"                 → [3] tool
  [3] user
    [3].0 tool_result of t1 ""                      → [2] tool (result_moved)
  [4] user
    [4].0 text "Are you there?"                     → [5] user

out, and what it is made of
  [0] user: 1 text               ← [0].0
  [1] assistant: 1 text, 3 calls ← [1].0, [1].1, [1].2, [1].3
  [2] tool: result (of t1)       ← [3].0
  [3] tool: result (of t2)       ← [2].0
  [4] tool: result (of t3)       ← made up, see below
  [5] user: 1 text               ← [4].0

repaired, merged, moved, dropped or added
  result_moved at messages[3].content[0]: moved next to its call (messages[1].content[1])
  result_invented at messages[1].content[3]: call t3 of Bash has no result: a stand-in says that it was interrupted

wrong with the history as it came
  call_without_result: expected a result for call t3 of Bash, got none (messages[1].content[3])
  consecutive_roles: expected a turn of the other side after the user's, got another one of the user (messages[3])
  consecutive_roles: expected a turn of the other side after the user's, got another one of the user (messages[4])
`)
})

test('the document shows what is printed', async () => {
  const text = await textOf(SPLIT)
  expect(DOCUMENT).toContain(text.slice(0, text.indexOf('\nrepaired')))
})

test('results that are merged into one turn are all there', async () => {
  const text = await textOf(SPLIT.slice(0, 4), '--provider', 'anthropic')
  expect(text).toContain(`\
  [2] user
    [2].0 tool_result of t2 "clean"                 → [2] user content[1]
  [3] user
    [3].0 tool_result of t1 ""                      → [2] user content[0] (result_moved)
`)
  expect(text).toContain('  [2] user: 3 tool_result (of t1, t2, t3) ← [2].0, [3].0\n')
})

test('in a dialect of strict turns the results go to the turn behind their calls', async () => {
  const { input, output } = await explained(requestFile({ messages: SPLIT }), '--profile', 'amazon-q')
  const ways = input.flatMap(({ blocks }) =>
    blocks.flatMap(({ label, to }) => to.map((place) => [label, place])),
  )
  expect(ways).toContainEqual(['[2].0', expect.objectContaining({ message: 2, part: 'toolResults[1]' })])
  expect(ways).toContainEqual(['[3].0', expect.objectContaining({ message: 2, part: 'toolResults[0]' })])
  expect(output[2]).toMatchObject({ answers: ['t1', 't2', 't3'], from: ['[2].0', '[3].0'] })
  expect(output.at(-1)?.from).toContain('[4].0')
})

test('a healthy request has nothing to tell but where things went', async () => {
  expect(await textOf([{ role: 'user', content: 'Hi' }])).toBe(`\
request.json: 1 messages became 1
for openai-chat, profile generic, model claude-x

in, and where it went
  [0] user
    [0].0 text "Hi" → [0] user

out, and what it is made of
  [0] user: 1 text ← [0].0

repaired, merged, moved, dropped or added: nothing

wrong with the history as it came: nothing
`)
})

function thought(text: string): HubMessage {
  return {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: text, signature: 's' },
      { type: 'text', text: 'ok' },
    ],
  }
}

test('what is dropped says so and why, also where one note stands for all', async () => {
  const text = await textOf([
    { role: 'user', content: 'a' },
    thought('one'),
    { role: 'user', content: [{ type: 'text', text: ' ' }] },
    thought('two'),
    { role: 'user', content: 'b' },
  ])
  expect(text).toContain('[1].0 thinking "one" → nowhere: dropped (thinking_dropped)')
  expect(text).toContain('[3].0 thinking "two" → nowhere: dropped (thinking_dropped)')
})

function round(index: number): HubMessage[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${index}`, name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'x' }] },
  ]
}

test('a history that runs in circles is told', async () => {
  const text = await textOf([{ role: 'user', content: 'go' }, ...[1, 2, 3, 4].flatMap(round)])
  expect(text).toContain(`
running in circles
  messages[1] to messages[7]: Read was called 4 times with the same input and brought nothing new
`)
})

test('foreign words are shortened and have no control characters', async () => {
  const evil = `\u001b[2Kforged\n\u202e${'long '.repeat(100)}`
  const text = await textOf([
    { role: 'user', content: evil },
    { role: 'assistant', content: [{ type: 'tool_use', id: evil, name: evil, input: { evil } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: evil, content: evil }] },
  ])
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(text).not.toMatch(/^forged/m)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400)
})

test('a text that looks like a mark is not taken for one', async () => {
  const text = await textOf([
    { role: 'user', content: 'HydraDye0x1z' },
    { role: 'assistant', content: 'ok' },
    { role: 'user', content: 'HydraDye1x0z' },
  ])
  expect(text).toContain('[0].0 text "HydraDye0x1z" → [0] user\n')
  expect(text).toContain('[1].0 text "ok"           → [1] assistant\n')
})

/** A tape with an exchange for each history, sent to a model of ollama with a setting of its own. */
function tapeOf(...histories: readonly (readonly HubMessage[])[]): string {
  const header = { tape: 1, tool: 'hydra/0', started: '2026-01-02T03:04:05.000Z', redaction: 'none' }
  const via = { upstream: 'up', dialect: 'openai-chat', model: 'qwen3', profile: 'ollama' }
  const post = { method: 'POST', headers: {} }
  const lines = histories.flatMap((messages, index) => {
    const request = { ...post, path: '/v1/messages?beta=true', body: bodyOf({ messages }) }
    const call = { ...post, path: '/v1/chat/completions', body: '{}', via }
    return [
      [2 * index + 1, 1, index + 1, 'c>', 'req', request],
      [
        2 * index + 2,
        1,
        index + 1,
        '>u',
        'req',
        { ...call, via: { ...via, overrides: { consecutiveTurns: 'merge' } } },
      ],
    ]
  })
  const folder = join(temporaryFolder(), 'a-session')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'tape.jsonl'),
    [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  return folder
}

test('an exchange of a tape is explained as it was sent: by its number, or the last one', async () => {
  const tape = tapeOf([{ role: 'user', content: 'Hi' }], SPLIT)
  const last = await explained(tape)
  expect(last).toMatchObject({
    source: 'a-session, exchange 2',
    dialect: 'openai-chat',
    profile: 'ollama',
    model: 'qwen3',
  })
  expect(explanationText(last)).toContain(`
  [3] user: turns_merged
    [3].0 tool_result of t1 ""                      → [2] tool
`)
  const first = await explained(
    join(tape, 'tape.jsonl'),
    '--exchange',
    '1',
    '--profile',
    'openai',
    '-m',
    'gpt',
  )
  expect(first).toMatchObject({ source: 'a-session, exchange 1', profile: 'openai', model: 'gpt' })
  expect(first.input).toHaveLength(1)
  await expect(explained(tape, '--exchange', '3')).rejects.toThrow(
    /a-session: exchange 3 is no request for an answer; those are 1, 2$/,
  )
})

const REQUESTS = readdirSync(join(FIXTURES, 'requests')).filter(
  (name) =>
    name.endsWith('.json') && !/\.(?:expected|options)\.json$/.test(name) && !name.includes('refused'),
)
const TARGETS: readonly ProfileName[] = ['openai', 'gemini', 'deepseek', 'mistral', 'anthropic']

test.each(REQUESTS)('every block of %s is accounted for, whatever the target', async (name) => {
  for (const profile of TARGETS) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is as quick
    const { system, input, output } = await explained(join(FIXTURES, 'requests', name), '--profile', profile)
    const blocks = [...system, ...input.flatMap((message) => message.blocks)]
    expect(blocks.filter(({ fate, to }) => (fate === 'arrived') !== to.length > 0)).toEqual([])
    expect(blocks.filter(({ fate, notes }) => fate === 'dropped' && notes.length === 0)).toEqual([])
    const places = blocks.flatMap(({ to }) => to.flatMap(({ message }) => message ?? []))
    expect(places.filter((place) => output[place] === undefined)).toEqual([])
  }
})

test('a file that cannot be used is told with its name and the reason', async () => {
  const folder = temporaryFolder()
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  await expect(explained(join(folder, 'none'))).rejects.toThrow(/none: there is no such file$/)
  await expect(explained(folder)).rejects.toThrow(/tape\.jsonl/)
  await expect(explained(file('a.json', 'nonsense'))).rejects.toThrow(/a\.json: expected JSON, got/)
  await expect(
    explained(file('b.json', '{"model":"m","max_tokens":1,"messages":[{"role":"king"}]}')),
  ).rejects.toThrow(/b\.json: the request is refused: messages\[0\]\.role/)
  await expect(
    explained(file('c.json', '{"model":"m","messages":[{"role":"user","content":"Hi"}]}')),
  ).rejects.toThrow(
    /c\.json: the request is refused: max_tokens: .*; written in openai-chat\? Add --client openai-chat$/,
  )
  const inPath = file('d.json', '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}')
  await expect(explained(inPath)).rejects.toThrow(/; written in gemini\? Add --client gemini --model NAME$/)
  await expect(explained(inPath, '--client', 'gemini')).rejects.toThrow(/\? Add --model NAME$/)
  await expect(explained(inPath, '--client', 'gemini', '--model', 'm')).resolves.toMatchObject({ model: 'm' })
  const good = requestFile({ messages: [{ role: 'user', content: 'Hi' }] })
  await expect(explained(good, '--provider', 'opnai')).rejects.toThrow(
    /--provider opnai: expected one of openai, .*; did you mean 'openai'\?/,
  )
  await expect(explained(good, '--exchange', '1')).rejects.toThrow(/--exchange is for tapes, and .* is none/)
  for (const error of await Promise.allSettled([explained(folder), explained(good, '--profile', 'x')])) {
    expect(error).toMatchObject({ reason: expect.any(UsageError) as unknown })
  }
})

test('a request is explained in whatever dialect it is written', async () => {
  const file = join(temporaryFolder(), 'request.json')
  const input = [
    { role: 'user', content: 'Look.' },
    { type: 'function_call', call_id: 'c1', name: 'Read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'here' },
  ]
  writeFileSync(file, JSON.stringify({ model: 'm', instructions: 'Be kind.', input }))
  const { system, input: messages } = await explained(file, '--client', 'openai-responses')
  const blocks = [...system, ...messages.flatMap((message) => message.blocks)]
  expect(blocks.map(({ type, fate }) => [type, fate])).toEqual([
    ['text', 'arrived'],
    ['text', 'arrived'],
    ['tool_use', 'arrived'],
    ['tool_result', 'arrived'],
  ])
  expect(() => parseExplainOptions([file, '--client', 'openai-caht'])).toThrow(
    "--client openai-caht: expected one of anthropic, openai-chat, openai-responses, gemini; did you mean 'openai-chat'?",
  )
})
