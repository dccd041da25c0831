import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import { checkText } from '../check.ts'
import type { CliOptions } from '../settings/options.ts'
import { readSettings } from '../settings/read-settings.ts'
import { banner } from './banner.ts'

const URL = 'http://127.0.0.1:3456'

function others(key: string): string[] {
  return [
    `OpenAI's SDKs: OPENAI_BASE_URL=http://127.0.0.1:3456/v1 OPENAI_API_KEY=${key}`,
    'Codex, opencode and other agents: hydra run --list',
  ]
}

async function bannerOf(options: CliOptions, env: Record<string, string> = {}): Promise<string[]> {
  const settings = await readSettings(options, { HOME: '/nonexistent', ...env })
  return banner(settings, URL).trimEnd().split('\n')
}

test('of the demo', async () => {
  expect(await bannerOf({})).toEqual([
    'hydra listens on http://127.0.0.1:3456',
    'No target is set, so the built-in demo model answers. It is a script.',
    'For a real model: OPENAI_API_KEY=… hydra serve --model gpt-5.1',
    '  or one on this machine: hydra serve --provider ollama --model qwen3-coder',
    "  or Claude itself, with the client's own login: hydra serve --passthrough '*'",
    '  demo: everything → the built-in demo model',
    'see what happens: http://127.0.0.1:3456/_hydra/',
    'Claude Code: ANTHROPIC_BASE_URL=http://127.0.0.1:3456 ANTHROPIC_AUTH_TOKEN=any claude',
    ...others('any'),
  ])
})

test('of a target, without anything secret', async () => {
  const options = { 'target-url': 'https://h.test/v1/?key=sk-canary', model: 'm', spoof: 's', workers: '3' }
  expect(await bannerOf({ ...options, key: 'my-key' }, { OPENAI_API_KEY: 'sk-canary' })).toEqual([
    'hydra listens on http://127.0.0.1:3456 with 3 processes',
    'each process remembers for itself what clients refer back to (previous_response_id, thinking): --store shares it',
    '  openai: everything → openai m at https://h.test/v1 (told as s)',
    'see what happens: http://127.0.0.1:3456/_hydra/',
    'Claude Code: ANTHROPIC_BASE_URL=http://127.0.0.1:3456 ANTHROPIC_AUTH_TOKEN=<your key> claude',
    ...others('<your key>'),
  ])
})

test('of a mixed team: Claude Code keeps its own login', async () => {
  const options = { provider: 'ollama', model: 'm', passthrough: 'lead,claude-opus-5', key: 'my-key' }
  expect(await bannerOf(options)).toEqual([
    'hydra listens on http://127.0.0.1:3456',
    '  passthrough: marker "hydra:lead" → anthropic-passthrough, unchanged, at https://api.anthropic.com',
    '  passthrough: models ["claude-opus-5"] → anthropic-passthrough, unchanged, at https://api.anthropic.com',
    '  ollama: everything → ollama m at http://127.0.0.1:11434/v1',
    'see what happens: http://127.0.0.1:3456/_hydra/',
    "Claude Code, with its own login: ANTHROPIC_BASE_URL=http://127.0.0.1:3456 ANTHROPIC_CUSTOM_HEADERS='x-hydra-key: <your key>' claude --append-system-prompt hydra:lead",
    ...others('<your key>'),
  ])
})

test.each([
  [
    { host: '0.0.0.0', insecure: true },
    'open to other machines on all addresses, without a key (--insecure)',
  ],
  [{ host: '[::]', key: 'k' }, 'open to other machines on all addresses; clients need the key'],
  [{ host: '192.168.1.5', key: 'k' }, 'open to other machines; clients need the key'],
  [{ host: '192.168.1.5', insecure: true }, 'open to other machines, without a key (--insecure)'],
])('of a door that other machines can reach: %j', async (options, line) => {
  expect((await bannerOf(options))[1]).toBe(line)
})

const WITHOUT_KEY = {
  port: 0,
  upstreams: { openai: {}, groq: {}, cluster: { url: 'http://127.0.0.1:1/v1' }, anthropic: {} },
  routes: [
    { match: { marker: 'hydra:lead' }, upstream: 'anthropic', passthrough: true },
    { upstream: 'groq', model: 'm', fallbacks: [{ upstream: 'openai' }, { upstream: 'cluster' }] },
  ],
}

test('of an upstream whose key is not set; where requests pass, none is needed', async () => {
  const lines = await bannerOf({ config: configFile(WITHOUT_KEY) }, { GROQ_API_KEY: 'sk-canary' })
  expect(lines.filter((line) => line.includes('no key'))).toEqual([
    'no key for the upstream openai: it will refuse requests until OPENAI_API_KEY is set',
  ])
})

test('check tells which key is not set', async () => {
  const config = configFile(WITHOUT_KEY)
  const text = checkText(await readSettings({ config }, { HOME: '/nonexistent', GROQ_API_KEY: 'sk-canary' }))
  expect(text.match(/^upstream .*/gm)).toEqual([
    expect.stringContaining('profile openai, NO KEY: set OPENAI_API_KEY'),
    expect.stringContaining('profile groq, with a key'),
    expect.stringContaining('profile generic, no key'),
    expect.stringContaining('profile anthropic, no key'),
  ])
})

test('check prints every upstream and every route in the order in which they are tried', async () => {
  const config = configFile({
    port: 0,
    key: 'env:KEY',
    upstreams: {
      a: { url: 'http://127.0.0.1:1/v1', key: 'env:KEY' },
      b: { url: 'http://127.0.0.1:2/v1', profile: 'vllm' },
    },
    routes: [
      { name: 'big', match: { models: ['claude-*'], minBytes: 100 }, upstream: 'a' },
      { upstream: 'b', models: { '*': 'm' }, fallbacks: [{ upstream: 'a', model: 'x' }, { upstream: 'b' }] },
    ],
  })
  const env = { HOME: '/nonexistent', KEY: 'sk-canary' }
  expect(checkText(await readSettings({ config, workers: '2' }, env)).split('\n')).toEqual([
    `configuration: ${config}`,
    'listens on 127.0.0.1:0, 2 processes, asks for a key',
    'upstream a: openai-chat at http://127.0.0.1:1/v1, profile generic, with a key',
    'upstream b: openai-chat at http://127.0.0.1:2/v1, profile vllm, no key',
    'route 1. big: models ["claude-*"] and minBytes 100 → a (same model) at http://127.0.0.1:1/v1',
    'route 2. route 2: everything → b {"*":"m"} at http://127.0.0.1:2/v1, then a x, then b',
    '',
  ])
})

test('clients of a team are told to bring a key, by the banner and by hydra check', async () => {
  const keys = [{ name: 'ada', hash: 'a'.repeat(64) }]
  const settings = await readSettings({ config: configFile({ keys, port: 0 }) }, { HOME: '/nonexistent' })
  expect(checkText(settings)).toContain('asks for a key')
  expect(banner(settings, 'http://127.0.0.1:1')).toContain('ANTHROPIC_AUTH_TOKEN=<your key> claude')
  expect(banner(settings, 'http://127.0.0.1:1')).toContain('OPENAI_API_KEY=<your key>')
  expect(banner(settings, 'http://127.0.0.1:1')).not.toContain('/_hydra/')
})

test('several processes without a store say that they remember each for itself', async () => {
  const line = expect.stringMatching(/^each process remembers for itself/)
  const env = { OPENAI_API_KEY: 'k' }
  expect(await bannerOf({ model: 'm', workers: '2' }, env)).toContainEqual(line)
  expect(await bannerOf({ model: 'm', workers: '2', store: 'file:team.db' }, env)).not.toContainEqual(line)
  expect(await bannerOf({ model: 'm' }, env)).not.toContainEqual(line)
})
