import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import { readSettings } from './read-settings.ts'

/** What is said of a configuration, line by line, with the name of the file in place of its path. */
async function faults(content: string, env: Record<string, string> = {}): Promise<string[]> {
  const file = configFile(content)
  const message = await readSettings({ config: file }, { HOME: '/nonexistent', ...env }).then(
    () => '',
    (error: Error) => error.message,
  )
  return message.replaceAll(file, basename(file)).split('\n')
}

const UPSTREAM = '"upstreams": { "up": { "url": "http://127.0.0.1:1/v1" } }'

test.each([
  ['{\n  "port": 1\n  "host": "a"\n}', ['hydra.config.json:3: not JSON (CommaExpected)']],
  ['', ['hydra.config.json:1: not JSON (ValueExpected)']],
  ['[]', ['hydra.config.json:1: the configuration: expected object']],
  ['{\n  "port": "80"\n}', ['hydra.config.json:2: port: expected integer']],
  ['{\n  "port": 70000\n}', ['hydra.config.json:2: port: must be <= 65535']],
  ['{\n  "port": 1,\n  "port": 2\n}', ["hydra.config.json:3: the key 'port' is there twice"]],
  ['{\n\n  "prot": 1\n}', ["hydra.config.json:3: the configuration: unknown key 'prot'"]],
  [
    '{\n  "key": "sk-canary"\n}',
    ['hydra.config.json:2: key: expected env:NAME, the name of an environment variable'],
  ],
  ['{\n  "timeouts": {\n    "idel": 1\n  }\n}', ["hydra.config.json:3: timeouts: unknown key 'idel'"]],
  [
    '{\n  "routes": [\n    { "upstream": "a",\n      "timeouts": { "idel": 1 } }\n  ]\n}',
    ["hydra.config.json:4: routes.0.timeouts: unknown key 'idel'"],
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
  ['{\n  "upstreams": {\n    "up": {}\n  }\n}', ['hydra.config.json:3: upstreams.up: it needs a url']],
  [
    '{\n  "upstreams": {\n    "groq": {\n      "key": "env:MY_KEY"\n    }\n  }\n}',
    ['hydra.config.json:4: upstreams.groq.key: the environment variable MY_KEY is not set'],
  ],
  [
    '{\n  "upstreams": {\n    "groq": { "headers": { "a b": "c" } }\n  }\n}',
    [
      expect.stringContaining(':3: upstreams.groq.headers: '),
      'hydra.config.json:3: upstreams.groq.headers: property name must be valid',
    ],
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
  [`{\n  ${UPSTREAM}\n}`, ['hydra.config.json:1: routes: expected at least one route']],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    {}\n  ]\n}`,
    ["hydra.config.json:4: routes.0: the key 'upstream' is missing"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up" },\n    { "upstream": "upp" }\n  ]\n}`,
    ["hydra.config.json:5: routes.1.upstream: there is no upstream 'upp'"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    {\n      "upstream": "up",\n      "fallbacks": [\n        { "upstream": "toString" }\n      ]\n    }\n  ]\n}`,
    ["hydra.config.json:7: routes.0.fallbacks.0.upstream: there is no upstream 'toString'"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up", "match": { "modles": [] } }\n  ]\n}`,
    ["hydra.config.json:4: routes.0.match: unknown key 'modles'"],
  ],
  [
    `{\n  ${UPSTREAM},\n  "routes": [\n    { "upstream": "up", "passthrough": true }\n  ]\n}`,
    ['hydra.config.json:4: routes.0.upstream: passthrough needs an upstream with the dialect anthropic'],
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
      "hydra.config.json:2: the configuration: unknown key 'prot'",
      "hydra.config.json:3: the configuration: unknown key 'hots'",
    ],
  ],
])('%j', async (content, expected) => {
  expect(await faults(content)).toEqual(expected)
})

test('a file that is not there is told', async () => {
  const settings = readSettings({ config: '/nonexistent/hydra.config.json' }, {})
  await expect(settings).rejects.toThrow('/nonexistent/hydra.config.json: the configuration cannot be read')
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

interface Schema {
  readonly definitions: {
    readonly upstream: { readonly properties: { readonly profile: { readonly enum: string[] } } }
    readonly overrides: { readonly properties: object }
  }
}

test('the schema knows every profile, and everything of a profile that JSON can say', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../hydra.schema.json', import.meta.url), 'utf8'),
  ) as Schema
  expect(schema.definitions.upstream.properties.profile.enum).toEqual(Object.keys(profiles))
  const {
    name: _name,
    models: _models,
    callIds: _ids,
    schema: _rule,
    ...overridable
  } = {
    ...profiles['amazon-q'],
    ...profiles.generic,
  }
  expect(Object.keys(schema.definitions.overrides.properties).toSorted()).toEqual(
    Object.keys(overridable).toSorted(),
  )
})
