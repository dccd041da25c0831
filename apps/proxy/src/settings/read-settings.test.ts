import { UsageError } from '@hydra/cli'
import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import type { CliOptions } from './options.ts'
import { readAddress, readSettings, type Settings } from './read-settings.ts'

type Variables = Readonly<Record<string, string>>

function read(options: CliOptions = {}, env: Variables = {}): Promise<Settings> {
  return readSettings(options, { HOME: '/nonexistent', ...env })
}

async function fault(options: CliOptions, env: Variables = {}): Promise<string> {
  return read(options, env).then(
    () => 'none',
    (error: Error) => error.message,
  )
}

test('without anything it is the demo on the usual port of this machine', async () => {
  const settings = await read()
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 3456,
    workers: 1,
    log: 'pretty',
    traces: false,
    insecure: false,
    isDemo: true,
    drainLimit: 30_000,
  })
  expect(settings.gateway.routes).toEqual([
    { name: 'demo', upstream: 'demo', model: 'demo', translate: 'always' },
  ])
  expect(settings.gateway.guard?.hosts).toEqual(expect.arrayContaining(['127.0.0.1', 'localhost', '[::1]']))
})

test('what is typed counts more than a variable, and that more than the configuration', async () => {
  const config = configFile({ port: 1, workers: 2, host: '127.0.0.2', timeouts: { drain: 7, connect: 9 } })
  expect(await read({ config })).toMatchObject({
    port: 1,
    workers: 2,
    host: '127.0.0.2',
    drainLimit: 7,
    connectTimeout: 9,
    configFile: config,
  })
  expect((await read({ config }, { HYDRA_PROXY_PORT: '2' })).port).toBe(2)
  expect((await read({ config, port: '3' }, { HYDRA_PROXY_PORT: '2' })).port).toBe(3)
  expect((await read({ config }, { HYDRA_PROXY_PORT: '' })).port).toBe(1)
  expect((await read({ config, workers: '4' })).workers).toBe(4)
  expect((await read({ config }, { HYDRA_DRAIN_LIMIT: '8' })).drainLimit).toBe(8)
})

test.each<[CliOptions, Variables, string]>([
  [{ port: 'x' }, {}, '--port x: expected a whole number from 0 to 65535'],
  [{ port: '65536' }, {}, '--port 65536: expected a whole number from 0 to 65535'],
  [{}, { HYDRA_PROXY_PORT: '-1' }, 'HYDRA_PROXY_PORT -1: expected a whole number from 0 to 65535'],
  [{ workers: '0' }, {}, '--workers 0: expected a whole number from 1 to 256'],
  [{ log: 'loud' }, {}, '--log loud: expected one of pretty, json, debug, silent'],
  [{ model: 'm' }, {}, 'the provider openai needs a key: set OPENAI_API_KEY'],
  [
    {},
    { OPENAI_API_KEY: 'k' },
    'OPENAI_API_KEY is set, but which model of openai? Add --model NAME, or unset the key to see the demo',
  ],
  [{ provider: 'ollama' }, {}, 'which model of ollama? Add --model NAME'],
  [{ provider: 'groq' }, { GROQ_API_KEY: 'k' }, 'which model of groq? Add --model NAME'],
  [
    { provider: 'azure', model: 'm' },
    { AZURE_OPENAI_API_KEY: 'k' },
    'the provider azure has no address of its own: add --target-url URL',
  ],
  [
    { 'target-url': 'localhost:1', model: 'm' },
    {},
    '--target-url: expected an http or https address such as http://127.0.0.1:11434/v1',
  ],
  [
    { model: 'm' },
    { HYDRA_TARGET_URL: 'http://me:sk-canary@h/v1' },
    'HYDRA_TARGET_URL: an address with a user or a password in it; put the key into an environment variable',
  ],
  [
    { passthrough: 'lead', 'anthropic-url': 'ftp://h' },
    {},
    '--anthropic-url: expected an http or https address such as http://127.0.0.1:11434/v1',
  ],
  [{ 'anthropic-url': 'http://h' }, {}, '--anthropic-url: nothing goes there without --passthrough'],
  [
    { passthrough: 'claude-opus-5,Lead' },
    {},
    '--passthrough claude-opus-5,Lead: expected lead in small letters, got Lead',
  ],
  [{ passthrough: 'lead,' }, {}, '--passthrough lead,: expected lead, * or model names, got an empty one'],
  [{ key: 'env:NOT_SET' }, {}, '--key: the environment variable NOT_SET is not set'],
])('%j with %j is refused', async (options, env, message) => {
  expect(await fault(options, env)).toBe(message)
})

test('an unknown provider is answered with the known ones and the nearest', async () => {
  expect(await fault({}, { HYDRA_TARGET_PROVIDER: 'opanai' })).toMatch(
    /^HYDRA_TARGET_PROVIDER opanai: expected one of openai, azure, openrouter, .*; did you mean 'openai'\?$/,
  )
})

test('the target comes from variables as well as from options', async () => {
  const { gateway, isDemo } = await read(
    {},
    {
      HYDRA_TARGET_PROVIDER: 'groq',
      HYDRA_TARGET_MODEL: 'm',
      HYDRA_SPOOF_MODEL: 'claude-spoof',
      GROQ_API_KEY: 'sk-groq',
    },
  )
  expect(isDemo).toBe(false)
  expect(gateway.routes).toEqual([{ name: 'groq', upstream: 'groq', model: 'm', spoof: 'claude-spoof' }])
  expect(gateway.upstreams['groq']).toMatchObject({
    url: 'https://api.groq.com/openai/v1',
    dialect: 'openai-chat',
  })
  expect(gateway.upstreams['groq']?.key?.reveal()).toBe('sk-groq')
})

test('keys go to their own provider, or to an address that was typed for them', async () => {
  const env = { OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-ant' }
  const keyOf = async (options: CliOptions): Promise<string | undefined> =>
    Object.values((await read({ model: 'm', ...options }, env)).gateway.upstreams)[0]?.key?.reveal()
  expect(await keyOf({})).toBe('sk-openai')
  expect(await keyOf({ provider: 'anthropic' })).toBe('sk-ant')
  expect(await keyOf({ provider: 'ollama' })).toBeUndefined()
  expect(await keyOf({ 'target-url': 'http://127.0.0.1:1/v1' })).toBe('sk-openai')
  expect(await keyOf({ 'target-url': 'http://127.0.0.1:1/v1', provider: 'vllm' })).toBe('sk-openai')
  expect(await keyOf({ 'target-url': 'http://127.0.0.1:1/v1', provider: 'groq' })).toBeUndefined()
})

test('an Amazon Q service has no address of its own, and gets no key but its own', async () => {
  const url = 'http://127.0.0.1:1'
  const env = { OPENAI_API_KEY: 'sk-openai', AMAZON_Q_TOKEN: 'q-token' }
  const { gateway } = await read({ provider: 'amazon-q', model: 'm', 'target-url': url }, env)
  expect(gateway.upstreams['amazon-q']).toMatchObject({ url, dialect: 'amazon-q' })
  expect(gateway.upstreams['amazon-q']?.key?.reveal()).toBe('q-token')
  const without = await read({ provider: 'amazon-q', model: 'm', 'target-url': url }, { OPENAI_API_KEY: 'x' })
  expect(without.gateway.upstreams['amazon-q']?.key).toBeUndefined()
  await expect(read({ provider: 'amazon-q', model: 'm' }, env)).rejects.toThrow('has no address of its own')
})

test.each<[string, unknown]>([
  ['lead', [{ marker: 'hydra:lead' }]],
  ['*', [{ models: ['claude-*'] }]],
  ['claude-a, claude-b', [{ models: ['claude-a', 'claude-b'] }]],
  ['lead,claude-a', [{ marker: 'hydra:lead' }, { models: ['claude-a'] }]],
])('--passthrough %s', async (passthrough, matches) => {
  const { gateway } = await read({ passthrough })
  const passing = gateway.routes.filter((route) => route.passthrough)
  expect(passing.map(({ match }) => match)).toEqual(matches)
  expect(gateway.upstreams['anthropic-passthrough']).toMatchObject({ url: 'https://api.anthropic.com' })
  expect(gateway.upstreams['anthropic-passthrough']?.key).toBeUndefined()
  expect(gateway.routes.at(-1)?.name).toBe('demo')
})

test('the trace is asked for by format or by variable', async () => {
  const env = { DEBUG_MESSAGE_CONVERSION: 'true' }
  expect(await read({ log: 'debug' })).toMatchObject({ log: 'pretty', traces: true })
  expect(await read({}, env)).toMatchObject({ log: 'pretty', traces: true })
  expect(await read({ log: 'json' }, env)).toMatchObject({ log: 'json', traces: true })
  expect(await read({}, { DEBUG_MESSAGE_CONVERSION: 'no' })).toMatchObject({ traces: false })
})

const CONFIG = {
  upstreams: { openai: { url: 'http://127.0.0.1:1/v1', key: 'env:OPENAI_API_KEY' } },
  routes: [{ upstream: 'openai', model: 'configured' }],
}

test('a key alone does not take the place of a configuration, a model does', async () => {
  const config = configFile(CONFIG)
  const env = { OPENAI_API_KEY: 'k' }
  expect((await read({ config }, env)).gateway.routes.map(({ model }) => model)).toEqual(['configured'])
  const { gateway } = await read({ config, model: 'typed', spoof: 's' }, env)
  expect(gateway.routes).toHaveLength(1)
  expect(gateway.routes).toMatchObject([{ upstream: 'openai (command line)', model: 'typed', spoof: 's' }])
  expect(gateway.upstreams['openai']?.url).toBe('http://127.0.0.1:1/v1')
})

test('the key of the server may be in a variable that the configuration names; an empty one is none', async () => {
  const config = configFile({ key: 'env:SERVER_KEY', hosts: ['Box.Test'], origins: ['http://app.test'] })
  const env = { SERVER_KEY: 'from-config' }
  const guard = (await read({ config }, { ...env, HYDRA_KEY: '' })).gateway.guard
  expect(guard?.key?.reveal()).toBe('from-config')
  expect(guard?.hosts).toContain('box.test')
  expect(guard?.origins).toEqual(['http://app.test'])
  expect((await read({ config, key: 'typed' }, env)).gateway.guard?.key?.reveal()).toBe('typed')
  expect((await read({ host: '0.0.0.0' })).gateway.guard?.hosts).toBeUndefined()
})

test('an upstream that is the proxy itself is refused', async () => {
  const options = { model: 'm', port: '4010' }
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await fault({ ...options, 'target-url': `http://${host}:4010/v1` })).toBe(
      'the upstream openai is this proxy itself: choose another --port or another address',
    )
  }
  expect(await fault({ ...options, 'target-url': 'http://127.0.0.1:4011/v1' })).toBe('none')
  expect(await fault({ ...options, 'target-url': 'http://other.test:4010/v1' })).toBe('none')
})

test('where a proxy listens is known even if its target is not', async () => {
  const address = await readAddress({ model: 'm', port: '9' }, { HOME: '/nonexistent' })
  expect(address).toEqual({ host: '127.0.0.1', port: 9, key: undefined })
})

const LOOP_GUARD_CONFIG = configFile(
  JSON.stringify({
    upstreams: { ollama: {} },
    routes: [{ upstream: 'ollama', model: 'm' }],
    loopGuard: { mode: 'warn', repeats: 7, exemptTools: ['Read'] },
  }),
)

async function loopGuardOf(typed: string | undefined, env: Variables, config?: string): Promise<unknown> {
  return (await read({ 'loop-guard': typed, config }, env)).gateway.loopGuard
}

test('loops are not looked for unless somebody says so', async () => {
  expect((await read({})).gateway).not.toHaveProperty('loopGuard')
})

test('the mode comes from the option, the variable or the configuration, in this order', async () => {
  expect(await loopGuardOf('stop', { HYDRA_LOOP_GUARD: 'notify' })).toEqual({ mode: 'stop' })
  expect(await loopGuardOf(undefined, { HYDRA_LOOP_GUARD: 'notify' })).toEqual({ mode: 'notify' })
  const numbers = { repeats: 7, exemptTools: ['Read'] }
  expect(await loopGuardOf(undefined, {}, LOOP_GUARD_CONFIG)).toEqual({ mode: 'warn', ...numbers })
  expect(await loopGuardOf('stop', {}, LOOP_GUARD_CONFIG)).toEqual({ mode: 'stop', ...numbers })
  expect(await loopGuardOf('off', {}, LOOP_GUARD_CONFIG)).toBeUndefined()
})

test('an unknown mode is refused, wherever it was said', async () => {
  await expect(read({ 'loop-guard': 'halt' })).rejects.toThrow(
    new UsageError('--loop-guard halt: expected one of off, warn, notify, stop'),
  )
  const config = configFile('{ "loopGuard": { "mode": "halt", "repeats": 1 } }')
  await expect(read({ config })).rejects.toThrow(/loopGuard\.mode: expected one of off, warn/)
})

const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta'

test('Gemini is called in its own dialect, unless its other address or the other dialect is named', async () => {
  const env = { GEMINI_API_KEY: 'k' }
  const typed = { provider: 'gemini', model: 'gemini-2.5-pro' }
  const [native, compatible] = await Promise.all([
    read(typed, env),
    read({ ...typed, 'target-url': `${GOOGLE}/openai` }, env),
  ])
  expect(Object.values(native.gateway.upstreams)).toMatchObject([
    { dialect: 'gemini', url: GOOGLE, profile: { keyHeader: 'x-goog-api-key' } },
  ])
  expect(Object.values(compatible.gateway.upstreams)).toMatchObject([
    { dialect: 'openai-chat', profile: { keyHeader: 'authorization' } },
  ])
  const config = configFile({
    upstreams: { gemini: { dialect: 'openai-chat' } },
    routes: [{ upstream: 'gemini', model: 'm' }],
  })
  const configured = await read({ config }, env)
  expect(configured.gateway.upstreams['gemini']).toMatchObject({
    dialect: 'openai-chat',
    url: `${GOOGLE}/openai`,
  })
})

test('OpenAI is called in the dialect that it wants for a model, at its own address only', async () => {
  const env = { OPENAI_API_KEY: 'sk-openai' }
  const dialectOf = async (options: CliOptions): Promise<string | undefined> =>
    Object.values((await read(options, env)).gateway.upstreams)[0]?.dialect
  expect(await dialectOf({ model: 'gpt-5.1' })).toBe('openai-chat')
  expect(await dialectOf({ model: 'gpt-5.4' })).toBe('openai-responses')
  expect(await dialectOf({ model: 'gpt-5.4', 'target-url': 'http://127.0.0.1:1/v1' })).toBe('openai-chat')
})

test('prices are for upstreams that there are', async () => {
  const upstreams = '"upstreams": { "groq": {} }, "routes": [{ "upstream": "groq" }]'
  const prices = { groq: { '*': { input: 1, output: 2 } } }
  const config = configFile(`{ ${upstreams}, "prices": ${JSON.stringify(prices)} }`)
  expect((await read({ config })).prices).toEqual(prices)
  const other = configFile(`{ ${upstreams}, "prices": { "grok": {} } }`)
  await expect(read({ config: other })).rejects.toThrow(/prices\.grok: there is no upstream 'grok'/)
  const half = configFile(`{ ${upstreams}, "prices": { "groq": { "*": { "input": -1 } } } }`)
  await expect(read({ config: half })).rejects.toThrow(/prices\.groq\.\*: the key 'output' is missing/)
})

test('metrics are off unless they are asked for', async () => {
  expect((await read({})).metrics).toBe(false)
  expect((await read({ metrics: true })).metrics).toBe(true)
  expect((await read({ config: configFile('{ "metrics": true }') })).metrics).toBe(true)
})

function to(model: string): object {
  return { upstream: 'openai', model, match: { models: [model] } }
}

test('a configured provider is called in the dialect that the models of its routes need', async () => {
  const dialectOf = async (upstream: object, routes: readonly object[]): Promise<string | undefined> => {
    const config = configFile(JSON.stringify({ upstreams: { openai: upstream, other: OTHER }, routes }))
    return (await read({ config }, { OPENAI_API_KEY: 'k' })).gateway.upstreams['openai']?.dialect
  }
  const OTHER = { url: 'http://127.0.0.1:1/v1' }
  expect(await dialectOf({}, [to('gpt-5.1')])).toBe('openai-chat')
  expect(await dialectOf({}, [to('gpt-5.1'), to('gpt-5.4')])).toBe('openai-responses')
  expect(await dialectOf({}, [{ upstream: 'openai', models: { '*': 'gpt-5.4' } }])).toBe('openai-responses')
  const fallbacks = [{ upstream: 'openai', model: 'gpt-5.4' }]
  expect(await dialectOf({}, [{ upstream: 'other', model: 'a', fallbacks }])).toBe('openai-responses')
  expect(await dialectOf({ dialect: 'openai-chat' }, [to('gpt-5.4')])).toBe('openai-chat')
  expect(await dialectOf(OTHER, [to('gpt-5.4')])).toBe('openai-chat')
  const passing = { upstream: 'openai', passthrough: true, match: { models: ['gpt-4.1'] } }
  expect(await dialectOf({}, [passing, to('gpt-5.4')])).toBe('openai-chat')
})
