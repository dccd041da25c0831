import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { answer, refuse } from './chat.ts'
import { closing } from './closing.ts'
import { type Hydra, runHydra, startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile, temporaryFolder } from './temporary.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()
let broken: Upstream
let works: Upstream
let hydra: Hydra

beforeAll(async () => {
  broken = await opened(startUpstream(refuse(500, { message: 'Oops' })))
  works = await opened(startUpstream(answer({ text: 'Here.' })))
  const config = configFile(`{
    // Comments are welcome, and so are trailing commas.
    "upstreams": {
      "broken": { "url": "${broken.url}", "key": "env:BROKEN_KEY" },
      "works": { "url": "${works.url}/chat/completions", "headers": { "x-team": "dragons" } },
    },
    "routes": [
      { "name": "images", "match": { "hasImages": true }, "upstream": "works", "model": "eyes" },
      { "name": "big", "match": { "minBytes": 20000 }, "upstream": "works", "model": "big" },
      { "name": "team", "match": { "header": { "name": "X-Team", "value": "a" } }, "upstream": "works", "model": "team" },
      { "name": "tools", "match": { "hasTools": true }, "upstream": "works", "models": { "claude-opus-*": "hands-large", "*": "hands" } },
      { "name": "fast", "match": { "models": ["*haiku*"] }, "upstream": "works", "spoof": "quick" },
      { "match": { "models": ["claude-*"] }, "upstream": "broken", "model": "x", "fallbacks": [{ "upstream": "broken", "model": "y" }, { "upstream": "works", "model": "rescue" }] },
    ],
    "retries": { "times": 0 },
    "limits": { "body": 50000 },
    "models": ["claude-a", "claude-b"],
  }`)
  hydra = await opened(startHydra(['--config', config], { BROKEN_KEY: 'sk-broken' }))
})

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }

test.each<[string, object, Record<string, string>, string]>([
  ['an image', { messages: [{ role: 'user', content: [IMAGE] }] }, {}, 'eyes'],
  ['size', { messages: [{ role: 'user', content: 'x'.repeat(20_000) }] }, {}, 'big'],
  ['a header', {}, { 'x-team': 'a' }, 'team'],
  ['tools', { tools: [{ name: 't', input_schema: { type: 'object' } }] }, {}, 'hands'],
  [
    'tools and a mapped model',
    { model: 'claude-opus-5', tools: [{ name: 't', input_schema: { type: 'object' } }] },
    {},
    'hands-large',
  ],
  ['a pattern of models', { model: 'claude-haiku-5' }, {}, 'claude-haiku-5'],
  ['nothing else, after two failures', {}, { 'x-team': 'b' }, 'rescue'],
])('routes by %s', async (_name, fields, headers, model) => {
  const response = await post(hydra, fields, headers)
  expect(response.status).toBe(200)
  const seen = works.seen.at(-1)
  expect(seen?.body.model).toBe(model)
  expect(seen?.path).toBe('/v1/chat/completions')
  expect(seen?.headers['x-team']).toBe('dragons')
})

test('fallbacks are tried in their order, each under its own model and key', () => {
  expect(broken.seen.slice(-2).map(({ body }) => body.model)).toEqual(['x', 'y'])
  expect(broken.seen.at(-1)?.headers.authorization).toBe('Bearer sk-broken')
  expect(works.seen.at(-1)?.headers.authorization).toBeUndefined()
})

test('a route may tell the client another name', async () => {
  expect(await (await post(hydra, { model: 'claude-haiku-5' })).json()).toMatchObject({ model: 'quick' })
})

test('a model without a route is not found, a body beyond the limit too large', async () => {
  const unknown = await post(hydra, { model: 'gpt-5' })
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toContain("no route for 'gpt-5'")
  expect((await post(hydra, { messages: [{ role: 'user', content: 'x'.repeat(60_000) }] })).status).toBe(413)
  const models = (await (await fetch(`${hydra.url}/v1/models`)).json()) as { data: { id: string }[] }
  expect(models.data.map(({ id }) => id)).toEqual(['claude-a', 'claude-b'])
})

test('check names the file and the line of every mistake, and what it says has no secrets', async () => {
  const file = configFile('{\n  "prot": 1,\n  "upstreams": {\n    "a": { "key": "sk-not-here" }\n  }\n}\n')
  const { code, stdout, stderr } = await runHydra(['check', '--config', file])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    `hydra: ${file}:2: the configuration: unknown key 'prot'; did you mean 'port'?\n` +
      `${file}:4: upstreams.a.key: expected env:NAME, the name of an environment variable, or file:/PATH\n`,
  )
})

test('a configuration in TypeScript is read from the user’s folder, and check prints its routes', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'hydra'))
  const file = join(folder, 'hydra', 'hydra.config.ts')
  const lines = [
    'const port: number = 4321',
    'export default {',
    '  port,',
    '  upstreams: { local: { profile: "ollama" }, openai: {} },',
    '  routes: [',
    '    { name: "small", match: { models: ["*haiku*"] }, upstream: "local", model: "qwen3" },',
    '    { upstream: "openai", model: "gpt-5.1", fallbacks: [{ upstream: "local", model: "qwen3" }] },',
    '  ],',
    '}',
  ]
  writeFileSync(file, lines.join('\n'))
  const env = { XDG_CONFIG_HOME: folder, OPENAI_API_KEY: 'sk-canary' }
  const { code, stdout, stderr } = await runHydra(['check'], env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    [
      `configuration: ${file}`,
      'listens on 127.0.0.1:4321, 1 process, asks for no key',
      'upstream local: openai-chat at http://127.0.0.1:11434/v1, profile ollama, no key',
      'upstream openai: openai-chat at https://api.openai.com/v1, profile openai, with a key',
      'route 1. small: models ["*haiku*"] → local qwen3 at http://127.0.0.1:11434/v1',
      'route 2. route 2: everything → openai gpt-5.1 at https://api.openai.com/v1, then local qwen3',
      '',
    ].join('\n'),
  )
})

test.each([{ XDG_CONFIG_HOME: 'relative' }, { XDG_CONFIG_HOME: '.' }, { XDG_CONFIG_HOME: '', HOME: '.' }])(
  'a folder for configurations that is not absolute is not searched: %j',
  async (env) => {
    const folder = temporaryFolder()
    for (const inside of ['hydra', 'relative/hydra', '.config/hydra']) {
      mkdirSync(join(folder, inside), { recursive: true })
      writeFileSync(join(folder, inside, 'hydra.config.ts'), 'throw new Error("a program that was planted")')
    }
    const { code, stdout, stderr } = await runHydra(['check'], env, folder)
    expect(stdout + stderr).not.toContain('planted')
    expect(code).toBe(0)
  },
)

test('a configuration in TypeScript can be typed, wherever it is', async () => {
  const typed =
    "import { defineConfig } from '@hydra/proxy/config'\nexport default defineConfig({ port: 4321 })\n"
  const { stdout } = await runHydra(['check', '--config', configFile(typed, 'hydra.config.ts')])
  expect(stdout).toContain('listens on 127.0.0.1:4321')
})

test.each([
  [{ match: { models: ['claude-*'] } }, true],
  [{ match: { models: ['*'], hasTools: true } }, true],
  [{ match: { models: ['claude-*', '*'] } }, false],
  [{ match: {} }, false],
  [{}, false],
])('check says whether a route takes the rest: %j', async (route, isOpen) => {
  const config = configFile({ upstreams: { ollama: {} }, routes: [{ ...route, upstream: 'ollama' }] })
  const { stdout } = await runHydra(['check', '--config', config])
  expect(stdout.includes('NO ROUTE for everything else: it is refused with 404')).toBe(isOpen)
})

test('the working directory is not searched for a configuration', async () => {
  const folder = dirname(configFile({ port: 4321 }))
  const { stdout } = await runHydra(['check'], {}, folder)
  expect(stdout).toContain('configuration: none\nlistens on 127.0.0.1:3456,')
})

test.each([
  [
    'export default {\n  port: 1,\n  routs: [],\n}\n',
    ":3: the configuration: unknown key 'routs'; did you mean 'routes'?",
  ],
  ['export default {\n  port: 1,\n  routes: [,\n}\n', ':4: the configuration cannot be loaded: '],
  ['export const a = 1\n', ': expected a default export with the configuration'],
  ['throw new Error("no luck")\n', ':1: the configuration cannot be loaded: no luck'],
])('mistakes in TypeScript are told as well: %j', async (text, message) => {
  const file = configFile(text, 'hydra.config.ts')
  const { code, stderr } = await runHydra(['check', '--config', file])
  expect(code).toBe(2)
  expect(stderr).toContain(`hydra: ${file}${message}`)
})
