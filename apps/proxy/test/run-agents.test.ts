import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { closing } from './closing.ts'
import { type Hydra, runHydra, startHydra, type Variables } from './hydra.ts'
import { temporaryFolder } from './temporary.ts'

const opened = closing()
const KEY = 'key-of-the-proxy'

/** What the fake program of an agent was started with. */
interface Started {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The files that its arguments and its environment name, with their modes. */
  readonly files: Readonly<Record<string, { readonly text: string; readonly mode: number }>>
  /** The files in the home folder that Gemini CLI was given. */
  readonly home: Readonly<Record<string, string>>
}

const PROGRAM = `#!${process.execPath}
const { readdirSync, readFileSync, statSync } = require('node:fs')
const args = process.argv.slice(2)
const files = {}
for (const path of [...args, ...Object.values(process.env)]) {
  if (!path.includes('hydra-run-') || statSync(path).isDirectory()) continue
  files[path] = { text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 }
}
const home = {}
const folder = process.env.GEMINI_CLI_HOME + '/.gemini'
for (const name of process.env.GEMINI_CLI_HOME ? readdirSync(folder) : []) {
  if (statSync(folder + '/' + name).isFile()) home[name] = readFileSync(folder + '/' + name, 'utf8')
}
console.log(JSON.stringify({ args, env: process.env, files, home }))
process.exit(5)
`

const NAMES = ['claude', 'codex', 'opencode', 'pi', 'gemini', 'qwen', 'kimi'] as const
let programs = ''
let proxy: Hydra

beforeAll(async () => {
  programs = temporaryFolder()
  for (const name of NAMES) writeFileSync(join(programs, name), PROGRAM, { mode: 0o755 })
  proxy = await opened(startHydra([], { HYDRA_KEY: KEY }))
})

async function runAgent(
  name: string,
  env: Variables = {},
  options: readonly string[] = [],
): Promise<Started> {
  const args = ['run', '--port', String(proxy.port), ...options, name, 'typed', '--help']
  const { code, stdout, stderr } = await runHydra(args, { PATH: programs, HYDRA_KEY: KEY, ...env })
  expect(stderr).not.toContain(KEY)
  expect(code, stderr).toBe(5)
  const started = JSON.parse(stdout) as Started
  expect(started.args.slice(-2)).toEqual(['typed', '--help'])
  expect(started.args.join(' ')).not.toContain(KEY)
  for (const [path, { mode }] of Object.entries(started.files)) {
    expect(mode).toBe(0o600)
    expect(existsSync(path), 'the file is removed').toBe(false)
  }
  return started
}

/** Sends a request with the address and key that an agent was given. */
async function ask(url: string | undefined, key: string | undefined, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  const response = await fetch(url ?? '', { method: 'POST', headers, body: JSON.stringify(body) })
  return response.text()
}

const messages = [{ role: 'user', content: 'Hi' }]
const DEMO = 'built-in demo model'

test('Claude Code is sent there by variables, and nothing else changes', async () => {
  const { args, env } = await runAgent('claude', { OPENAI_API_KEY: 'sk-mine' })
  expect(args).toEqual(['typed', '--help'])
  expect(env).toMatchObject({
    ANTHROPIC_BASE_URL: proxy.url,
    ANTHROPIC_AUTH_TOKEN: KEY,
    OPENAI_API_KEY: 'sk-mine',
  })
  expect(env).not.toHaveProperty('OPENAI_BASE_URL')
})

test('Codex is sent there by a provider in its options', async () => {
  const { args, env } = await runAgent('codex')
  const overrides = new Map(
    args.flatMap((word, at) => {
      const [name = '', value = ''] = args[at + 1]?.split('=', 2) ?? []
      return word === '-c' ? [[name, JSON.parse(value) as string] as const] : []
    }),
  )
  expect(overrides.get('model_provider')).toBe('hydra')
  expect(overrides.get('model_providers.hydra.wire_api')).toBe('responses')
  const url = `${overrides.get('model_providers.hydra.base_url')}/responses`
  const key = env[overrides.get('model_providers.hydra.env_key') ?? '']
  expect(await ask(url, key, { model: overrides.get('model'), input: 'Hi' })).toContain(DEMO)
})

test('opencode is sent there by a provider that is added to its configuration', async () => {
  const own = { theme: 'mine', provider: { other: { name: 'Other' } } }
  const { env } = await runAgent('opencode', { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) })
  const config = JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '') as typeof own & {
    model: string
    provider: { hydra: { options: { baseURL: string; apiKey: string } } }
  }
  expect(config).toMatchObject({ ...own, model: 'hydra/demo', small_model: 'hydra/demo' })
  const { baseURL, apiKey } = config.provider.hydra.options
  expect(await ask(`${baseURL}/chat/completions`, apiKey, { model: 'demo', messages })).toContain(DEMO)
})

test('a configuration of opencode that cannot be read is a mistake, and not replaced', async () => {
  const args = ['run', '--port', String(proxy.port), 'opencode']
  const env = { PATH: programs, HYDRA_KEY: KEY, OPENCODE_CONFIG_CONTENT: '{' }
  const { code, stderr } = await runHydra(args, env)
  expect(code).toBe(2)
  expect(stderr).toContain('hydra: OPENCODE_CONFIG_CONTENT: expected JSON, got something else\n')
})

test('opencode and pi speak another dialect if they are told to', async () => {
  const options = ['--speak', 'openai-responses']
  const { env } = await runAgent('opencode', {}, options)
  const config = JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '') as object
  const hydra = { npm: '@ai-sdk/openai', options: { baseURL: `${proxy.url}/v1` } }
  expect(config).toMatchObject({ provider: { hydra } })
  const { files } = await runAgent('pi', {}, options)
  const [file] = Object.values(files)
  expect(file?.text).toContain(`"baseUrl":"${proxy.url}/v1"`)
  expect(file?.text).toContain('"api":"openai-responses"')
})

test.each([
  ['kimi', 'anthropic', { KIMI_MODEL_PROVIDER_TYPE: 'anthropic' }, 'KIMI_MODEL_BASE_URL', ''],
  ['kimi', 'gemini', { KIMI_MODEL_PROVIDER_TYPE: 'google-genai' }, 'KIMI_MODEL_BASE_URL', ''],
  ['qwen', 'anthropic', { ANTHROPIC_MODEL: 'demo', ANTHROPIC_API_KEY: KEY }, 'ANTHROPIC_BASE_URL', ''],
  ['qwen', 'gemini', { GEMINI_MODEL: 'demo', GEMINI_API_KEY: KEY }, 'GEMINI_BASE_URL', ''],
])('%s speaks %s if it is told to', async (name, dialect, variables, url, version) => {
  const { env } = await runAgent(name, {}, ['--speak', dialect])
  expect(env).toMatchObject({ ...variables, [url]: proxy.url + version })
})

test('an agent that does not know a dialect is not told to speak it', async () => {
  const args = ['run', '--port', String(proxy.port), '--speak', 'gemini', 'claude']
  const { code, stderr } = await runHydra(args, { PATH: programs, HYDRA_KEY: KEY })
  expect(code).toBe(2)
  expect(stderr).toContain("hydra: --speak: expected one of anthropic for claude, got 'gemini'\n")
})

test('pi is sent there by an extension that adds a provider', async () => {
  const { args, files } = await runAgent('pi')
  const [file = ''] = Object.keys(files)
  expect(args.slice(0, 6)).toEqual(['--extension', file, '--provider', 'hydra', '--model', 'demo'])
  const config = /registerProvider\('hydra', (.*)\)/.exec(files[file]?.text ?? '')?.[1] ?? ''
  const { baseUrl, apiKey, models } = JSON.parse(config) as {
    baseUrl: string
    apiKey: string
    models: { id: string }[]
  }
  const body = { model: models[0]?.id, max_tokens: 9, messages }
  expect(await ask(`${baseUrl}/v1/messages`, apiKey, body)).toContain(DEMO)
})

test('variables in the settings of Claude Code do not lead it elsewhere', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, '.claude'))
  const mine =
    '{ "env": { "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "CLAUDE_CODE_USE_BEDROCK": "1", "MINE": "1" } }'
  writeFileSync(join(home, '.claude/settings.json'), mine)
  const { args, files } = await runAgent('claude', { HOME: home })
  const [flag, file = ''] = args
  expect(flag).toBe('--settings')
  expect(JSON.parse(files[file]?.text ?? '')).toEqual({
    env: { ANTHROPIC_BASE_URL: proxy.url, CLAUDE_CODE_USE_BEDROCK: '' },
  })
})

test('Claude Code is not sent to a cloud', async () => {
  const { env } = await runAgent('claude', { CLAUDE_CODE_USE_VERTEX: '1', CLAUDE_CODE_USE_BEDROCK: '1' })
  expect(Object.keys(env).filter((name) => name.startsWith('CLAUDE_CODE_USE_'))).toEqual([])
})

test('Gemini CLI is sent there by variables, and by a home whose settings choose the key', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, '.gemini/history'), { recursive: true })
  writeFileSync(join(home, '.gemini/GEMINI.md'), 'My memory')
  const mine =
    '{ // mine\n"ui": { "theme": "x" }, "security": { "auth": { "selectedType": "oauth-personal" } } }'
  writeFileSync(join(home, '.gemini/settings.json'), mine)
  const { env, home: given } = await runAgent('gemini', { GOOGLE_API_KEY: 'AIza-mine', HOME: home })
  expect(env).not.toHaveProperty('GOOGLE_API_KEY')
  expect(JSON.parse(given['settings.json'] ?? '')).toEqual({
    ui: { theme: 'x' },
    security: { auth: { selectedType: 'gemini-api-key' } },
  })
  expect(given['GEMINI.md']).toBe('My memory')
  expect(existsSync(env['GEMINI_CLI_HOME'] ?? ''), 'the home is removed').toBe(false)
  expect(readFileSync(join(home, '.gemini/GEMINI.md'), 'utf8')).toBe('My memory')
  expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe(mine)
  expect(existsSync(join(home, '.gemini/history'))).toBe(true)
  const url = `${env['GOOGLE_GEMINI_BASE_URL']}/v1beta/models/${env['GEMINI_MODEL']}:generateContent`
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  expect(await ask(url, env['GEMINI_API_KEY'], { contents })).toContain(DEMO)
})

test('Gemini CLI is started as well where it was never used before', async () => {
  const { home } = await runAgent('gemini', { HOME: temporaryFolder() })
  expect(Object.keys(home)).toEqual(['settings.json'])
})

test('a provider and a model in the settings of Qwen Code do not lead it elsewhere', async () => {
  const folder = temporaryFolder()
  const own = join(folder, 'machine.json')
  writeFileSync(own, '{ // ours\n"ui": { "theme": "x" }, "model": { "name": "other" } }')
  const { env, files } = await runAgent('qwen', { QWEN_CODE_SYSTEM_SETTINGS_PATH: own })
  const settings = files[env['QWEN_CODE_SYSTEM_SETTINGS_PATH'] ?? '']?.text ?? ''
  const provider = { id: 'demo', name: 'demo', baseUrl: `${proxy.url}/v1`, envKey: 'OPENAI_API_KEY' }
  expect(JSON.parse(settings)).toEqual({
    ui: { theme: 'x' },
    model: { name: 'demo' },
    modelProviders: { openai: [provider] },
  })
  expect(env['QWEN_CODE_SYSTEM_DEFAULTS_PATH']).toBe(join(folder, 'system-defaults.json'))
})

test.each([
  ['qwen', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'],
  ['kimi', 'KIMI_MODEL_BASE_URL', 'KIMI_MODEL_API_KEY', 'KIMI_MODEL_NAME'],
])('%s is sent there by variables', async (name, url, key, model) => {
  const { env } = await runAgent(name)
  const body = { model: env[model], messages }
  expect(await ask(`${env[url]}/chat/completions`, env[key], body)).toContain(DEMO)
})

test('it says which model the agent asks for: the one that the routes name first', async () => {
  const args = ['run', '--port', '0', '--provider', 'ollama', '--model', 'qwen3', 'codex']
  const { stdout, stderr } = await runHydra(args, { PATH: programs })
  expect(stderr).toMatch(/hydra: {3}ollama: everything → ollama qwen3 at .*\nhydra: Codex asks for qwen3\n$/)
  expect(stdout).toContain(String.raw`"model=\"qwen3\""`)
})

test('an agent that needs the name of a model is not started where no route has one', async () => {
  const config = join(temporaryFolder(), 'hydra.config.json')
  const upstreams = { local: { dialect: 'openai-chat', url: 'http://127.0.0.1:9/v1' } }
  writeFileSync(config, JSON.stringify({ upstreams, routes: [{ name: 'all', upstream: 'local' }] }))
  const args = ['run', '--port', '0', '--config', config, 'codex']
  const { code, stderr } = await runHydra(args, { PATH: programs })
  expect(code).toBe(2)
  expect(stderr).toContain('hydra: Codex needs the name of a model, and no route has one')
})

test('the message for an agent that is not installed names its package', async () => {
  const { code, stderr } = await runHydra(['run', '--port', '0', 'copilot'], { PATH: programs })
  expect(code).toBe(2)
  expect(stderr).toContain('hydra: copilot was not found: npm install -g @github/copilot brings it\n')
})

test('an agent is found by its path, and where its installer puts it', async () => {
  const byPath = await runHydra(['run', '--port', '0', join(programs, 'kimi')], { PATH: '' })
  expect(byPath.stderr).toContain('hydra: Kimi Code asks for demo\n')
  const home = temporaryFolder()
  mkdirSync(join(home, '.local/bin'), { recursive: true })
  writeFileSync(join(home, '.local/bin/copilot'), PROGRAM, { mode: 0o755 })
  const { code, stdout } = await runHydra(['run', '--port', '0', 'copilot'], { PATH: programs, HOME: home })
  expect(code).toBe(5)
  expect((JSON.parse(stdout) as Started).env).toMatchObject({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_BASE_URL: expect.stringMatching(/\/v1$/) as string,
    COPILOT_MODEL: 'demo',
  })
})

test.each([
  ['openai-responses', { COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_WIRE_API: 'responses' }],
  ['anthropic', { COPILOT_PROVIDER_TYPE: 'anthropic' }],
])('Copilot CLI speaks %s if it is told to', async (dialect, variables) => {
  const home = temporaryFolder()
  mkdirSync(join(home, '.local/bin'), { recursive: true })
  writeFileSync(join(home, '.local/bin/copilot'), PROGRAM, { mode: 0o755 })
  const { env } = await runAgent('copilot', { HOME: home }, ['--speak', dialect])
  expect(env).toMatchObject(variables)
})

test('--list shows what is known, and what of it is installed', async () => {
  const { code, stdout } = await runHydra(['run', '--list'], { PATH: programs })
  expect(code).toBe(0)
  expect(stdout).toContain(`claude    Claude Code, anthropic: ${join(programs, 'claude')}\n`)
  expect(stdout).toContain(
    'copilot   Copilot CLI, openai-chat: not installed: npm install -g @github/copilot\n',
  )
  expect(stdout.trim().split('\n')).toHaveLength(9)
})
