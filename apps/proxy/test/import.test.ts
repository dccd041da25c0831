import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHydra, runHydraHere } from './hydra.ts'
import { temporaryFolder } from './temporary.ts'

const CCR = {
  APIKEY: 'my-own-key',
  PORT: '4567',
  LOG: true,
  PROXY_URL: 'http://127.0.0.1:7890',
  Providers: [
    {
      name: 'openrouter',
      api_base_url: 'https://openrouter.ai/api/v1/chat/completions',
      api_key: '$OPENROUTER_API_KEY',
      models: ['z-ai/glm-4.6'],
      transformer: { use: ['openrouter'] },
    },
    {
      name: 'local',
      api_base_url: 'http://127.0.0.1:9999/v1/chat/completions',
      api_key: 'sk-written',
      models: ['m'],
    },
  ],
  Router: {
    default: 'openrouter,z-ai/glm-4.6',
    background: 'local,m',
    think: 'openrouter,z-ai/glm-4.6',
    longContext: 'openrouter,big',
    longContextThreshold: 1000,
  },
}

const LITELLM = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-eu, api_base: "https://eu.example.com/", api_key: os.environ/AZURE_KEY, rpm: 6 }
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-ca, api_base: "https://ca.example.com/", api_key: os.environ/AZURE_KEY_CA }
  - model_name: claude-sonnet
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: sk-ant-written }
  - model_name: "*"
    litellm_params: { model: openai/*, api_key: os.environ/OPENAI_API_KEY }
litellm_settings:
  drop_params: true
  fallbacks: [{ claude-sonnet: [gpt-4o] }]
general_settings:
  master_key: sk-1234
`

function written(name: string, text: string): { folder: string; file: string } {
  const folder = temporaryFolder()
  const file = join(folder, name)
  writeFileSync(file, text)
  return { folder, file }
}

test('a configuration of claude-code-router becomes one of ours, which is taken', async () => {
  const { folder, file } = written('config.json', JSON.stringify(CCR))
  const out = join(folder, 'hydra.config.json')
  const { code, stdout, stderr } = await runHydra(['import', 'ccr', file, '--out', out])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
    port: 4567,
    key: 'env:HYDRA_KEY',
    upstreams: {
      openrouter: { key: 'env:OPENROUTER_API_KEY' },
      local: { url: 'http://127.0.0.1:9999/v1', key: 'env:LOCAL_API_KEY' },
    },
    routes: [
      { name: 'longContext', match: { minBytes: 4000 }, upstream: 'openrouter', model: 'big' },
      { name: 'background', match: { models: ['*haiku*'] }, upstream: 'local', model: 'm' },
      { name: 'default', upstream: 'openrouter', model: 'z-ai/glm-4.6' },
    ],
  })
  for (const part of [
    'PROXY_URL: left out; set HTTPS_PROXY',
    'openrouter.transformer',
    'set LOCAL_API_KEY',
    'set HYDRA_KEY',
    'Router.think',
  ]) {
    expect(stderr).toContain(part)
  }
  expect(stderr).not.toContain('sk-written')
  const env = { HYDRA_KEY: 'k', OPENROUTER_API_KEY: 'a', LOCAL_API_KEY: 'b' }
  expect(await runHydra(['check', '--config', out], env)).toMatchObject({ code: 0, stderr: '' })
  expect((await runHydra(['import', 'ccr', file, '--out', out])).stderr).toContain('it is there already')
})

test('a configuration of LiteLLM becomes one of ours, which is taken', async () => {
  const { folder, file } = written('config.yaml', LITELLM)
  const { code, stdout, stderr } = await runHydra(['import', 'litellm', file])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    key: 'env:HYDRA_KEY',
    upstreams: {
      azure: { url: 'https://eu.example.com/openai/v1', key: 'env:AZURE_KEY' },
      'azure-2': { url: 'https://ca.example.com/openai/v1', key: 'env:AZURE_KEY_CA', profile: 'azure' },
      anthropic: { key: 'env:ANTHROPIC_API_KEY' },
      openai: { key: 'env:OPENAI_API_KEY' },
    },
    routes: [
      {
        name: 'gpt-4o',
        match: { models: ['gpt-4o'] },
        upstream: 'azure',
        model: 'gpt-4o-eu',
        fallbacks: [{ upstream: 'azure-2', model: 'gpt-4o-ca' }],
      },
      {
        name: 'claude-sonnet',
        match: { models: ['claude-sonnet'] },
        upstream: 'anthropic',
        model: 'claude-sonnet-4-5',
        fallbacks: [
          { upstream: 'azure', model: 'gpt-4o-eu' },
          { upstream: 'azure-2', model: 'gpt-4o-ca' },
        ],
      },
      { name: '*', upstream: 'openai' },
    ],
  })
  for (const part of ['left out: rpm', 'set ANTHROPIC_API_KEY', 'set HYDRA_KEY', 'load is not shared']) {
    expect(stderr).toContain(part)
  }
  const own = join(folder, 'ours.json')
  writeFileSync(own, stdout)
  const env = {
    HYDRA_KEY: 'k',
    AZURE_KEY: 'a',
    AZURE_KEY_CA: 'b',
    ANTHROPIC_API_KEY: 'c',
    OPENAI_API_KEY: 'd',
  }
  expect(await runHydra(['check', '--config', own], env)).toMatchObject({ code: 0, stderr: '' })
})

interface Imported {
  readonly upstreams: unknown
  readonly retries?: unknown
  readonly routes: readonly { readonly name: string }[]
}

async function imported(
  format: string,
  text: string,
): Promise<{ readonly config: Imported; readonly stderr: string }> {
  const { stdout, stderr } = await runHydra(['import', format, written('config', text).file])
  return { config: JSON.parse(stdout) as Imported, stderr }
}

test('addresses of endpoints become those of their servers', async () => {
  const Providers = [
    ['gemini', 'https://generativelanguage.googleapis.com/v1beta/models/', '$GEMINI_API_KEY'],
    ['ollama', 'http://localhost:11434/v1/chat/completions', 'ollama'],
    ['mine', 'http://localhost:1234/v1/chat/completions', 'any'],
    ['openai', 'https://relay.test/v1/responses', 'sk-relay'],
  ].map(([name, url, key]) => ({ name, api_base_url: url, api_key: key }))
  const { config, stderr } = await imported(
    'ccr',
    JSON.stringify({ Providers, Router: { default: 'mine,m' } }),
  )
  expect(config.upstreams).toEqual({
    gemini: { key: 'env:GEMINI_API_KEY' },
    ollama: { url: 'http://localhost:11434/v1' },
    mine: { url: 'http://localhost:1234/v1', profile: 'lmstudio' },
    // The key of OpenAI itself may be in that variable, and is not for another address.
    openai: { url: 'https://relay.test/v1', key: 'env:HYDRA_OPENAI_API_KEY' },
  })
  expect(stderr).toContain('Providers.ollama.api_key: left out; ollama on this machine asks for no key')
  expect(stderr).toContain('set HYDRA_OPENAI_API_KEY to it')
})

test('of LiteLLM the most specific name counts, each key has a variable of its own, and addresses get their path', async () => {
  const { config, stderr } = await imported(
    'litellm',
    `
model_list:
  - { model_name: "*", litellm_params: { model: "openai/*", api_key: os.environ/OPENAI_API_KEY } }
  - { model_name: "claude-*", litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: sk-one } }
  - { model_name: claude-x, litellm_params: { model: anthropic/claude-opus-4-5, api_key: sk-two } }
  - { model_name: local, litellm_params: { model: ollama_chat/llama3, api_base: "http://localhost:11434" } }
  - { model_name: mine, litellm_params: { model: openai/m, api_base: "http://127.0.0.1:4000/v1", api_key: none } }
litellm_settings: { num_retries: 3, request_timeout: 10 }
`,
  )
  expect(config.routes.map(({ name }) => name)).toEqual(['claude-x', 'local', 'mine', 'claude-*', '*'])
  expect(config.upstreams).toEqual({
    openai: { key: 'env:OPENAI_API_KEY' },
    anthropic: { key: 'env:ANTHROPIC_API_KEY' },
    'anthropic-2': { key: 'env:ANTHROPIC_API_KEY_2', profile: 'anthropic' },
    ollama: { url: 'http://localhost:11434/v1' },
    'openai-2': { url: 'http://127.0.0.1:4000/v1', key: 'env:MINE_API_KEY', profile: 'openai' },
  })
  expect(config.retries).toEqual({ times: 3 })
  expect(stderr).toContain('no counterpart for request_timeout')
})

test.each([
  ['config.json', JSON.stringify(CCR), 'claude-code-router; hydra import ccr FILE'],
  ['config.yaml', LITELLM, 'LiteLLM; hydra import litellm FILE'],
  ['list.json', '{ "model_list": [{ "model_name": "m" }] }', 'LiteLLM; hydra import litellm FILE'],
])('%s of another program is recognised where ours is expected', async (name, text, hint) => {
  const { file } = written(name, text)
  expect((await runHydraHere(['check', '--config', file])).stderr).toContain(
    `${file}: this is a configuration of ${hint}`,
  )
})

test.each([
  [['import'], 'hydra import needs a format and a file; see hydra import --help'],
  [['import', 'litelm', 'x'], "expected ccr or litellm, got 'litelm'; did you mean 'litellm'?"],
  [['import', 'ccr', '/nonexistent'], '/nonexistent: there is no such file'],
])('%j is a mistake that is told in one line', async (args, message) => {
  expect(await runHydraHere(args)).toEqual({ code: 2, stdout: '', stderr: `hydra: ${message}\n` })
})
