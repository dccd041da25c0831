import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ANTHROPIC_BYTES, asAnthropic } from './anthropic.ts'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { type Script, startUpstream, type Upstream } from './upstream.ts'

const opened = closing()
let script: Script = asAnthropic
let claude: Upstream
let target: Upstream
let hydra: Hydra
let before = { claude: 0, target: 0 }

beforeAll(async () => {
  claude = await opened(startUpstream((...args) => script(...args)))
  target = await opened(startUpstream(answer({ text: 'I am the target.' })))
  hydra = await opened(
    startHydra(['--target-url', target.url, '--model', 'gpt-test', '--spoof', 'claude-spoof'], {
      HYDRA_PASSTHROUGH: 'lead',
      HYDRA_ANTHROPIC_URL: claude.origin,
      OPENAI_API_KEY: 'sk-target',
    }),
  )
})

beforeEach(() => {
  script = asAnthropic
  before = { claude: claude.seen.length, target: target.seen.length }
})

/** Where the last request went. */
function wentTo(): string {
  const passed = claude.seen.length - before.claude
  const translated = target.seen.length - before.target
  if (passed + translated !== 1) return `${passed} passed, ${translated} translated`
  return passed === 1 ? 'claude' : 'target'
}

test('the lead’s request and its answer go through byte for byte, betas and credentials included', async () => {
  const body =
    '{ "model":"claude-opus-5", "max_tokens": 5,\n "stream":true, "system":"You are hydra:lead.",' +
    '"messages":[{"role":"user","content":"h\\u0069 🐉"}], "brand_new": 1e2, "thinking":{"type":"adaptive"} }'
  const response = await fetch(`${hydra.url}/v1/messages?beta=true`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer sk-ant-oat-mine',
      'x-api-key': 'sk-ant-mine',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'claude-code-20250219,per-turn-control-2026-07-01,unheard-of-2030-01-01',
      'user-agent': 'claude-cli/2.1.325 (external, cli)',
      'x-claude-code-session-id': 'session-1',
      'x-stainless-retry-count': '0',
      'x-app': 'cli',
      cookie: 'no=no',
    },
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(ANTHROPIC_BYTES)
  expect(response.headers.get('request-id')).toBe('req_of_anthropic')
  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('41')
  expect(response.headers.get('set-cookie')).toBeNull()
  const seen = claude.seen.at(-1)
  expect(wentTo()).toBe('claude')
  expect(seen?.path).toBe('/v1/messages?beta=true')
  expect(seen?.bytes.equals(Buffer.from(body))).toBe(true)
  expect(seen?.headers).toMatchObject({
    authorization: 'Bearer sk-ant-oat-mine',
    'x-api-key': 'sk-ant-mine',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'claude-code-20250219,per-turn-control-2026-07-01,unheard-of-2030-01-01',
    'user-agent': 'claude-cli/2.1.325 (external, cli)',
    'x-claude-code-session-id': 'session-1',
    'x-stainless-retry-count': '0',
    'x-app': 'cli',
  })
  expect(seen?.headers).not.toHaveProperty('cookie')
  expect(seen?.rawHeaders.join()).not.toContain('sk-target')
  const line = await eventually(
    () => /.*lead claude-cli\/2\.1\.325 session-.*/.exec(hydra.output())?.[0],
    'a line',
  )
  expect(line).toMatch(/claude-opus-5 → anthropic-passthrough claude-opus-5 \(passthrough\) {2}200/)
  expect(line).toContain('in 12 (5 cached), out 3')
})

test('what Anthropic refuses is passed on as it is, and not tried again', async () => {
  const error = '{"type":"error", "error":{"type":"overloaded_error","message":"Overloaded"}}'
  script = (_seen, response) => {
    response.writeHead(529, {
      'content-type': 'application/json',
      'retry-after': '3',
      'x-should-retry': 'true',
    })
    response.end(error)
  }
  const response = await post(hydra, { system: 'hydra:lead' })
  expect(response.status).toBe(529)
  expect(response.headers.get('retry-after')).toBe('3')
  expect(response.headers.get('x-should-retry')).toBe('true')
  expect(await response.text()).toBe(error)
  expect(wentTo()).toBe('claude')
})

const MARKED = { role: 'user', content: 'hydra:lead, go on' }
const PLAIN = { role: 'user', content: 'Do this.' }
const CALL = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] }
const RESULT = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't1', content: 'The file says hydra:lead.' }],
}

test.each([
  ['the marker in the system prompt', { system: [{ type: 'text', text: 'You are hydra:lead.' }] }],
  ['the marker in the first message', { messages: [MARKED] }],
  ['the marker in a first message, much later', { messages: [MARKED, CALL, RESULT] }],
])('a lead passes: %s', async (_name, fields) => {
  const response = await post(hydra, fields)
  expect(await response.text()).toContain('I am Claude')
  expect(wentTo()).toBe('claude')
})

test.each<[string, object, Record<string, string>]>([
  ['no marker', {}, {}],
  ['a marker in a tool result', { messages: [PLAIN, CALL, RESULT] }, {}],
  ['a marker in a later turn', { messages: [PLAIN, { role: 'assistant', content: 'Yes?' }, MARKED] }, {}],
  [
    'a marker that the model said',
    { messages: [PLAIN, { role: 'assistant', content: 'hydra:lead' }, PLAIN] },
    {},
  ],
  [
    'a marker in a tool’s description',
    { tools: [{ name: 'a', description: 'hydra:lead', input_schema: { type: 'object' } }] },
    {},
  ],
  ['a longer word', { system: 'You are hydra:leader.' }, {}],
  ['a subagent whose prompt has it', { system: 'hydra:lead' }, { 'x-claude-code-agent-id': 'agent-7' }],
  ['a subagent with an empty id', { messages: [MARKED] }, { 'x-claude-code-agent-id': '' }],
  ['a header that claims it', {}, { 'x-hydra-lead': 'hydra:lead' }],
  ['a Claude model', { model: 'claude-opus-5' }, {}],
])('a teammate never passes: %s', async (_name, fields, headers) => {
  const response = await post(hydra, fields, { 'x-api-key': 'sk-ant-mine', ...headers })
  expect(await response.json()).toMatchObject({
    model: 'claude-spoof',
    content: [{ type: 'text', text: 'I am the target.' }],
  })
  expect(wentTo()).toBe('target')
  const seen = target.seen.at(-1)
  expect(seen?.headers.authorization).toBe('Bearer sk-target')
  expect(seen?.rawHeaders.join()).not.toContain('sk-ant-mine')
})

test('the banner tells how to start the lead', () => {
  expect(hydra.output()).toContain('passthrough: marker "hydra:lead" → anthropic-passthrough, unchanged, at')
  expect(hydra.output()).toContain(
    `Claude Code, with its own login: ANTHROPIC_BASE_URL=${hydra.url} claude --append-system-prompt hydra:lead`,
  )
})

test('with * every Claude model passes and nothing else; the key of the proxy stays here', async () => {
  const all = await opened(
    startHydra([
      '--passthrough',
      '*',
      '--anthropic-url',
      `${claude.origin}/v1/messages`,
      '--key',
      'proxy-key-1',
    ]),
  )
  const headers = { 'x-hydra-key': 'proxy-key-1', authorization: 'Bearer sk-ant-mine' }
  await (await post(all, { model: 'claude-haiku-5' }, headers)).text()
  expect(wentTo()).toBe('claude')
  expect(claude.seen.at(-1)?.rawHeaders.join()).not.toContain('proxy-key-1')
  expect(claude.seen.at(-1)?.headers.authorization).toBe('Bearer sk-ant-mine')
  const other = await post(all, { model: 'gpt-5' }, headers)
  expect(await other.text()).toContain('demo model')
  expect(claude.seen.length - before.claude).toBe(1)
})
