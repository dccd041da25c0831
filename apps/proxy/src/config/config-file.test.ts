import { basename, dirname, join } from 'node:path'
import { registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import { readSettings } from '../settings/read-settings.ts'

/** What is said of a configuration, line by line, with the name of the file in place of its path. */
async function faults(content: string, env: Record<string, string> = {}): Promise<string[]> {
  const file = configFile(content)
  const message = await readSettings({ config: file }, { HOME: '/nonexistent', ...env }).then(
    () => '',
    (error: Error) => error.message,
  )
  return message.replaceAll(file, basename(file)).split('\n')
}

/** A configuration with these keys, one per line from line 3, of the same hash unless they say another. */
function keysOf(...keys: string[]): string {
  const hash = `"hash": "${'0'.repeat(64)}"`
  const lines = keys.map((key) => `{ ${key.includes('"hash"') ? key : `${key}, ${hash}`} }`)
  return `{\n  "keys": [\n    ${lines.join(',\n    ')}\n  ],\n  ${ROUTED}\n}`
}

const UPSTREAM = '"upstreams": { "up": { "url": "http://127.0.0.1:1/v1" } }'
const ROUTED = `${UPSTREAM}, "routes": [{ "name": "cheap", "upstream": "up" }]`

test.each([
  ['{\n  "port": 1\n  "host": "a"\n}', ['hydra.config.json:3: not JSON: expected a comma before this']],
  ['', ['hydra.config.json:1: not JSON: expected a value']],
  ['[]', ['hydra.config.json:1: the configuration: expected an object']],
  ['{\n  "port": "80"\n}', ['hydra.config.json:2: port: expected a whole number']],
  ['{\n  "port": 70000\n}', ['hydra.config.json:2: port: expected at most 65535']],
  ['{\n  "port": 1,\n  "port": 2\n}', ["hydra.config.json:3: the key 'port' is there twice"]],
  [
    '{\n\n  "prot": 1\n}',
    ["hydra.config.json:3: the configuration: unknown key 'prot'; did you mean 'port'?"],
  ],
  [
    '{\n  "key": "sk-canary"\n}',
    ['hydra.config.json:2: key: expected env:NAME, the name of an environment variable, or file:/PATH'],
  ],
  [
    '{\n  "timeouts": {\n    "idel": 1\n  }\n}',
    ["hydra.config.json:3: timeouts: unknown key 'idel'; did you mean 'idle'?"],
  ],
  [
    '{\n  "routes": [\n    { "upstream": "a",\n      "timeouts": { "idel": 1 } }\n  ]\n}',
    ["hydra.config.json:4: routes.0.timeouts: unknown key 'idel'; did you mean 'idle'?"],
  ],
  [
    '{\n  "upstreams": {\n    "up": {\n      "url":\n        "localhost"\n    }\n  }\n}',
    ['hydra.config.json:4: upstreams.up.url: expected an http or https address'],
  ],
  [
    '{\n  "upstreams": {\n    "up": { "url": "http://a:sk-canary@b/v1" }\n  }\n}',
    [
      'hydra.config.json:3: upstreams.up.url: an address with a user or a password in it; put the key into an environment variable',
    ],
  ],
  [
    '{\n  "upstreams": {\n    "up": { "profile": "oppenai" }\n  }\n}',
    [
      expect.stringMatching(
        /^hydra\.config\.json:3: upstreams\.up\.profile: expected one of openai, azure, /,
      ),
    ],
  ],
  [
    '{\n  "upstreams": {\n    "up": {}\n  }\n}',
    ['hydra.config.json:3: upstreams.up: it needs a url, or the name of a provider that is known'],
  ],
  [
    '{ "upstreams": { "olama": {} } }',
    [
      "hydra.config.json:1: upstreams.olama: it needs a url, or the name of a provider that is known; did you mean 'ollama'?",
    ],
  ],
  [
    '{ "upstreams": { "azure": {} } }',
    ['hydra.config.json:1: upstreams.azure: the provider azure has no address of its own: give its url'],
  ],
  [
    '{ "upstreams": {\n"groq": { "key": "env:NOT_SET" },\n"mistral": { "key": "env:NOR_THIS" } } }',
    [
      'hydra.config.json:2: upstreams.groq.key: the environment variable NOT_SET is not set',
      'hydra.config.json:3: upstreams.mistral.key: the environment variable NOR_THIS is not set',
    ],
  ],
  [
    '{\n  "upstreams": {\n    "groq": {\n      "key": "env:MY_KEY"\n    }\n  }\n}',
    ['hydra.config.json:4: upstreams.groq.key: the environment variable MY_KEY is not set'],
  ],
  [
    '{\n  "upstreams": {\n    "groq": { "headers": { "a b": "c" } }\n  }\n}',
    ['hydra.config.json:3: upstreams.groq.headers: expected the name of a header'],
  ],
  [
    '{\n  "upstreams": {\n    "groq": { "headers": { "x-a": "env:KEY" } }\n  }\n}',
    ['hydra.config.json:3: upstreams.groq.headers.x-a: expected plain text; only key can be env:NAME'],
  ],
  [
    '{\n  "upstreams": {\n    "groq": { "overrides": { "reasoning": { "kind": "effort" } } }\n  }\n}',
    ["hydra.config.json:3: upstreams.groq.overrides.reasoning: the key 'levels' is missing"],
  ],
  [
    '{\n  "upstreams": {\n    "groq": { "overrides": { "contentBesideCalls": 1 } }\n  }\n}',
    ['hydra.config.json:3: upstreams.groq.overrides.contentBesideCalls: expected one of null, ""'],
  ],
  [
    '{\n  "store":\n    "mysql://canary@h"\n}',
    ['hydra.config.json:2: store: expected memory, file:PATH, redis://HOST or env:NAME'],
  ],
  [
    '{\n  "keys": [\n    { "name": "ada",\n      "hash": "hydra_canary" }\n  ]\n}',
    ['hydra.config.json:4: keys.0.hash: expected the hash of a key, as hydra keys hash prints it'],
  ],
  [
    `{\n  "keys": [\n    { "name": "ada", "hash": "${'0'.repeat(64)}", "budgets": [\n      { "per": "day" } ] }\n  ]\n}`,
    ['hydra.config.json:4: keys.0.budgets.0: expected either tokens or dollars'],
  ],
  [
    keysOf('"name": "ada"', `"name": "ada", "hash": "${'1'.repeat(64)}"`),
    ['hydra.config.json:4: keys.1.name: keys.0 has the same name'],
  ],
  [keysOf('"name": "ada"', '"name": "bob"'), ['hydra.config.json:4: keys.1.hash: keys.0 has the same hash']],
  [
    keysOf('"name": "ada", "expires": "2027-13-01"'),
    ['hydra.config.json:3: keys.0.expires: there is no such date'],
  ],
  [
    keysOf('"name": "ada", "routes": ["chaep"]'),
    ["hydra.config.json:3: keys.0.routes.0: there is no route 'chaep'; did you mean 'cheap'?"],
  ],
  [
    keysOf('"name": "ada", "tokensPerMinute": 1e30'),
    ['hydra.config.json:3: keys.0.tokensPerMinute: expected at most 1000000000000'],
  ],
  [
    keysOf('"name": "ada", "budgets": [{ "per": "day", "dollars": 1e300 }]'),
    ['hydra.config.json:3: keys.0.budgets.0.dollars: expected at most 1000000'],
  ],
  [
    `{\n  "store": "env:NO_STORE",\n  ${ROUTED}\n}`,
    ['hydra.config.json:2: store: the environment variable NO_STORE is not set'],
  ],
  [
    '{\n  "upstreams": {\n    "groq": {\n      "keys": [\n        { "key": "file:/nonexistent/x" } ] }\n  }\n}',
    ['hydra.config.json:5: upstreams.groq.keys.0.key: the file /nonexistent/x cannot be read (ENOENT)'],
  ],
  [`{\n  ${UPSTREAM}\n}`, ['hydra.config.json:1: routes: expected at least one route']],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    {}\n  ]\n}`,
    ["hydra.config.json:4: routes.0: the key 'upstream' is missing"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up" },\n    { "upstream": "upp" }\n  ]\n}`,
    ["hydra.config.json:5: routes.1.upstream: there is no upstream 'upp'; did you mean 'up'?"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    {\n      "upstream": "up",\n      "fallbacks": [\n        { "upstream": "toString" }\n      ]\n    }\n  ]\n}`,
    ["hydra.config.json:7: routes.0.fallbacks.0.upstream: there is no upstream 'toString'"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up", "match": { "modles": [] } }\n  ]\n}`,
    ["hydra.config.json:4: routes.0.match: unknown key 'modles'; did you mean 'models'?"],
  ],
  [
    '{\n  "upstreams": { "q": { "dialect": "amazon-q", "url": "http://x" } },\n  "routes": [\n    { "upstream": "q", "passthrough": true }\n  ]\n}',
    [
      `hydra.config.json:4: routes.0.upstream: passthrough needs an upstream whose dialect clients speak: ${registry.clients.map(({ name }) => name).join(', ')}`,
    ],
  ],
  [
    '{\n  "upstreams": { "anthropic": {} },\n  "routes": [\n    { "upstream": "anthropic", "passthrough": true, "model": "m" }\n  ]\n}',
    ['hydra.config.json:4: routes.0.model: a route with passthrough changes nothing'],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up", "match": {\n      "models": [] } }\n  ]\n}`,
    ['hydra.config.json:5: routes.0.match.models: expected at least one value'],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up",\n      "model": "m",\n      "models": { "*": "n" } }\n  ]\n}`,
    ['hydra.config.json:6: routes.0.models: model counts for all; leave out one of the two'],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up", "match": {} },\n    { "upstream": "up", "match": { "hasTools": true } }\n  ]\n}`,
    ['hydra.config.json:5: routes.1: it is never reached: routes.0 has no match and takes everything'],
  ],
  [
    '{\n  "prot": 1,\n  "hots": 2\n}',
    [
      "hydra.config.json:2: the configuration: unknown key 'prot'; did you mean 'port'?",
      "hydra.config.json:3: the configuration: unknown key 'hots'; did you mean 'host'?",
    ],
  ],
])('%j', async (content, expected) => {
  expect(await faults(content)).toEqual(expected)
})

test.each([
  ['{\n  port: 1\n}', 'keys and strings are in double quotes'],
  ['{ 1: 2 }', 'expected the name of a key, in double quotes'],
  ['{ "port" 1 }', 'expected a colon after the key'],
  ["{ 'port': 1 }", 'keys and strings are in double quotes'],
  ['{ "port": 1', 'a { is not closed: expected }'],
  ['{ "routes": [1', 'a [ is not closed: expected ]'],
  ['{ "host": "a\n}', 'a string is not closed: expected "'],
  ['{} {}', 'expected the end of the file, got more after the configuration'],
  ['{ "port": /* ', 'a comment is not closed: expected */'],
  ['{ "host": "\\x" }', String.raw`after \ only " \ / b f n r t u can come`],
])('what is wrong with JSON is said in words: %j', async (content, words) => {
  const [line] = await faults(content)
  expect(line).toMatch(/^hydra\.config\.json:\d+: not JSON: /)
  expect(line).toContain(words)
})

test('an unknown kind of reasoning is answered with the known ones', async () => {
  const overrides = '"overrides": { "reasoning": { "kind": "sk-canary" } }'
  expect(await faults(`{\n  "upstreams": {\n    "groq": { ${overrides} }\n  }\n}`)).toEqual([
    'hydra.config.json:3: upstreams.groq.overrides.reasoning: expected kind to be one of effort, switch, fixed',
  ])
})

test('a file that is not there, and a folder, are named as what they are', async () => {
  const folder = dirname(configFile({}))
  const missing = join(folder, 'nope.json')
  await expect(readSettings({ config: missing }, {})).rejects.toThrow(
    `${missing}: there is no such configuration file`,
  )
  await expect(readSettings({ config: join(missing, 'x.ts') }, {})).rejects.toThrow('there is no such')
  await expect(readSettings({ config: folder }, {})).rejects.toThrow(
    `${folder}: expected a configuration file, got a folder`,
  )
})

test('a whole configuration becomes what the gateway is told', async () => {
  const config = configFile({
    $schema: './hydra.schema.json',
    upstreams: {
      groq: { headers: { 'x-a': 'b' }, breaker: true },
      mine: {
        url: 'http://127.0.0.1:1/v1',
        key: 'env:MINE',
        profile: 'vllm',
        overrides: { keyHeader: 'api-key', replaysThinking: null, maxTools: 5, contentBesideCalls: null },
      },
      other: { url: 'http://127.0.0.1:2', profile: 'groq' },
    },
    routes: [{ upstream: 'mine', timeouts: { idle: 8 } }],
    timeouts: { idle: 5, drain: 6, connect: 7 },
    retries: { times: 1 },
    limits: { body: 9 },
    breaker: { consecutive: 2 },
  })
  const env = { HOME: '/nonexistent', GROQ_API_KEY: 'sk-groq', MINE: 'sk-mine' }
  const { gateway } = await readSettings({ config }, env)
  expect(gateway).toMatchObject({
    upstreams: { groq: { headers: { 'x-a': 'b' }, breaker: true, url: 'https://api.groq.com/openai/v1' } },
    routes: [{ name: 'route 1', upstream: 'mine', timeouts: { idle: 8 } }],
    timeouts: { idle: 5 },
    retries: { times: 1 },
    limits: { body: 9 },
    breaker: { consecutive: 2 },
  })
  expect(gateway.timeouts).toEqual({ idle: 5 })
  expect(gateway.upstreams['groq']?.key?.reveal()).toBe('sk-groq')
  expect(gateway.upstreams['mine']?.key?.reveal()).toBe('sk-mine')
  expect(gateway.upstreams['other']?.key).toBeUndefined()
  const profile = gateway.upstreams['mine']?.profile
  expect(profile?.keyHeader).toBe('api-key')
  expect(profile?.models.at(-1)?.overrides).toEqual({
    keyHeader: 'api-key',
    replaysThinking: undefined,
    maxTools: 5,
    contentBesideCalls: null,
  })
})

test('a dialect that was registered can be configured, and an unknown one cannot', async () => {
  const content =
    '{\n  "upstreams": { "up": { "url": "http://127.0.0.1:1", "dialect": "toy" } },\n  "routes": [{ "upstream": "up" }]\n}'
  const names = registry.upstreams.map(({ name }) => name).join(', ')
  const fault = `hydra.config.json:2: upstreams.up.dialect: expected one of ${names}`
  expect(await faults(content)).toEqual([fault])
  const unregister = registry.register({ name: 'toy', upstream: registry.upstream('openai-chat') })
  try {
    expect(await faults(content)).toEqual([''])
  } finally {
    unregister()
  }
})
