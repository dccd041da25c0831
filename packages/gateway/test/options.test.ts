import { expect, test } from 'vitest'
import { profiles, registry } from '@hydra/core'
import {
  anthropic,
  azure,
  createGateway,
  type HydraOptions,
  ollama,
  openai,
  OptionsError,
  Secret,
} from '../src/index.ts'

const up = { dialect: 'openai-chat', url: 'http://127.0.0.1:9/v1', profile: profiles.generic } as const

/** What is said of options that no compiler has seen. */
function faults(options: unknown): readonly string[] {
  try {
    createGateway(options as HydraOptions)
  } catch (thrown) {
    if (thrown instanceof OptionsError) return thrown.message.split('\n')
    throw thrown
  }
  return []
}

const DIALECTS = registry.upstreams.map(({ name }) => name).join(', ')

test.each<[string, unknown, readonly string[]]>([
  ['nothing', undefined, ['the options: expected an object']],
  ['no upstreams', {}, ["the options: the key 'upstreams' is missing"]],
  [
    'an empty list of upstreams',
    { upstreams: [] },
    ['upstreams: expected upstreams by name, such as { openai: openai() }, got a list'],
  ],
  ['no upstream', { upstreams: {} }, ['upstreams: expected at least one upstream']],
  [
    'several upstreams and no route',
    { upstreams: { up, other: up } },
    ['routes: expected routes, because there are 2 upstreams'],
  ],
  ['an empty list of routes', { upstreams: { up }, routes: [] }, ['routes: expected at least one route']],
  ['routes that are no list', { upstreams: { up }, routes: {} }, ['routes: expected a list']],
  [
    'a route to nowhere',
    { upstreams: { up }, routes: [{ name: 'a', upstream: 'upp' }] },
    ["routes.0.upstream: there is no upstream 'upp'; did you mean 'up'?"],
  ],
  [
    'a fallback to nowhere',
    { upstreams: { up }, routes: [{ upstream: 'up', fallbacks: [{ upstream: 'x' }] }] },
    ["routes.0.fallbacks.0.upstream: there is no upstream 'x'"],
  ],
  [
    'two routes of one name',
    {
      upstreams: { up },
      routes: [
        { name: 'fast', upstream: 'up', match: { models: ['a'] } },
        { name: 'route 3', upstream: 'up', match: { models: ['b'] } },
        { upstream: 'up', match: { models: ['c'] } },
        { name: 'fast', upstream: 'up' },
      ],
    },
    ['routes.2.name: routes.1 has this name as well', 'routes.3.name: routes.0 has this name as well'],
  ],
  [
    'a route that is never reached',
    { upstreams: { up }, routes: [{ upstream: 'up' }, { upstream: 'up', match: { hasTools: true } }] },
    ['routes.1: it is never reached: routes.0 has no match and takes everything'],
  ],
  [
    'an unknown dialect',
    { upstreams: { up: { ...up, dialect: 'openai' } } },
    [`upstreams.up.dialect: expected one of ${DIALECTS}; did you mean 'openai-chat'?`],
  ],
  [
    'an address that is none',
    { upstreams: { up: { ...up, url: 'localhost' } } },
    ['upstreams.up.url: expected an http or https address'],
  ],
  [
    'an address with a password',
    { upstreams: { up: { ...up, url: 'http://a:sk-canary@b/v1' } } },
    [
      'upstreams.up.url: an address with a user or a password in it; put the key into an environment variable',
    ],
  ],
  [
    'a string as key',
    { upstreams: { up: { ...up, key: 'sk-canary' } }, guard: { key: 'sk-canary' } },
    [
      'guard.key: expected new Secret(…), got a string, which logs and errors would show',
      'upstreams.up.key: expected new Secret(…), got a string, which logs and errors would show',
    ],
  ],
  [
    'a profile by name',
    { upstreams: { up: { ...up, profile: 'groq' } } },
    ['upstreams.up.profile: expected a profile such as profiles.generic of @hydra/core, got a name'],
  ],
  [
    'a duration in words',
    { upstreams: { up }, timeouts: { idle: '5s', firstByte: 0 } },
    [
      'timeouts.firstByte: expected at least 1',
      'timeouts.idle: expected a whole number of milliseconds, such as 30000',
    ],
  ],
  [
    'misspelt names, all of them',
    { upstreams: { up }, rotues: [], timeouts: { idel: 1 }, gaurd: {} },
    [
      "timeouts: unknown key 'idel'; did you mean 'idle'?",
      "the options: unknown key 'rotues'; did you mean 'routes'?",
      "the options: unknown key 'gaurd'; did you mean 'guard'?",
    ],
  ],
  [
    'a duration that no timer can wait for',
    { upstreams: { up }, timeouts: { idle: 2 ** 31 } },
    ['timeouts.idle: expected at most 2147483647'],
  ],
  [
    'a key of an empty variable',
    { upstreams: { up }, guard: { key: new Secret('') } },
    ['guard.key: the Secret holds nothing: is the variable set that it is made of?'],
  ],
  [
    'a key of a variable that is not there',
    { upstreams: { up: { ...up, key: new Secret(undefined as unknown as string) } } },
    ['upstreams.up.key: the Secret holds nothing: is the variable set that it is made of?'],
  ],
  [
    'an address as host name, and a host name as origin',
    {
      upstreams: { up },
      guard: { hosts: ['http://localhost:3000', '[::1]', '::1', 'box.test'], origins: ['localhost', 'null'] },
    },
    [
      'guard.hosts.0: expected a host name such as localhost, without scheme, port and path',
      'guard.origins.0: expected an origin such as http://localhost:3000, without a path',
    ],
  ],
  [
    'a preset that was not called',
    { upstreams: { up: openai } },
    ['upstreams.up: expected an upstream, got a function: call it, as in ollama()'],
  ],
  [
    'an upstream in place of upstreams by name',
    { upstreams: up },
    ['upstreams: expected upstreams by name, such as { openai: openai() }, got an upstream without one'],
  ],
  [
    'a preset in place of upstreams by name',
    { upstreams: ollama() },
    ['upstreams: expected upstreams by name, such as { openai: openai() }, got an upstream without one'],
  ],
  [
    'upstreams in a list',
    { upstreams: [up] },
    ['upstreams: expected upstreams by name, such as { openai: openai() }, got a list'],
  ],
  [
    'an upstream as in a configuration file',
    { upstreams: { openai: {} } },
    ['upstreams.openai: expected an upstream such as ollama(), got an empty object'],
  ],
  [
    'a provider without an address of its own',
    { upstreams: { up: azure({ key: 'k' }) } },
    ['upstreams.up: the provider azure has no address of its own: give its url'],
  ],
  [
    'a provider by name',
    { upstreams: { up: 'openai' } },
    ['upstreams.up: expected an upstream such as ollama(), got a name'],
  ],
  [
    'a model without a name',
    { upstreams: { up }, model: '' },
    ['model: expected a text with something in it'],
  ],
  [
    'a word that is nearly right',
    { upstreams: { up }, loopGuard: { mode: 'wran' } },
    ["loopGuard.mode: expected one of warn, notify, stop; did you mean 'warn'?"],
  ],
  [
    'the words of other programs',
    { upstreams: { up: { ...up, apiKey: 'sk-canary' } }, routes: [{ upstream: 'up', provider: 'up' }] },
    [
      "upstreams.up: unknown key 'apiKey'; did you mean 'key'?",
      "routes.0: unknown key 'provider'; did you mean 'upstream'?",
    ],
  ],
  ['a hook that is none', { upstreams: { up }, authorize: true }, ['authorize: expected a function']],
  [
    'a model beside routes',
    { upstreams: { up }, model: 'm', routes: [{ upstream: 'up' }] },
    ['model: routes say which model; leave out one of the two'],
  ],
  [
    'an open door to the figures',
    { upstreams: { up }, metrics: () => '' },
    ['metrics: expected guard.key, guard.hosts or authorize, which keep strangers out'],
  ],
])('%s is answered at once', (_what, options, expected) => {
  expect(faults(options)).toEqual(expected)
  expect(faults(options).join()).not.toContain('canary')
})

const LAST = { upstream: 'up' }

test.each<[string, object, object, boolean]>([
  ['a narrower pattern', { models: ['gpt-*', 'claude*'] }, { models: ['claude-opus*', 'claude-*-4'] }, true],
  ['one more condition', { hasTools: false }, { hasTools: false, models: ['gpt-*'] }, true],
  ['a larger size', { minBytes: 1000 }, { minBytes: 2000 }, true],
  ['the same header', { header: { name: 'x-a' } }, { header: { name: 'x-a' }, hasImages: true }, true],
  ['a pattern beside it', { models: ['claude-opus*'] }, { models: ['claude-opus*', 'gpt-*'] }, false],
  ['a wider pattern', { models: ['claude-opus*'] }, { models: ['claude*'] }, false],
  ['any model', { models: ['claude*'] }, {}, false],
  ['another condition', { models: ['claude*'], hasTools: true }, { models: ['claude*'] }, false],
  ['a smaller size', { minBytes: 2000 }, { minBytes: 1000 }, false],
  ['no largest size', { maxBytes: 2000 }, { minBytes: 1000 }, false],
  ['the opposite', { hasTools: true }, { hasTools: false }, false],
])('a route for %s behind another is looked at', (_what, earlier, later, isNever) => {
  const routes = [{ upstream: 'up', match: earlier }, { upstream: 'up', match: later }, LAST]
  const never = ['routes.1: it is never reached: routes.0 takes all that it asks for']
  const isLast = Object.keys(later).length === 0
  const shadowed = isLast ? ['routes.2: it is never reached: routes.1 has no match and takes everything'] : []
  expect(faults({ upstreams: { up }, routes })).toEqual(isNever ? never : shadowed)
})

test('what passes unchanged is for some clients only, and leaves the rest to the next route', () => {
  const match = { models: ['claude*'] }
  const routes = [{ upstream: 'up', match, passthrough: true }, { upstream: 'up', match }, LAST]
  expect(faults({ upstreams: { up }, routes })).toEqual([])
})

test('a preset takes an object', () => {
  expect(() => openai('sk-canary' as never)).toThrow(OptionsError)
  expect(() => openai('sk-canary' as never)).toThrow('expected an object such as { key }')
})

test('a gateway of one upstream needs no routes, and undefined is as good as nothing', async () => {
  const gateway = createGateway({
    upstreams: { up: { ...up, key: undefined } },
    model: 'm',
    timeouts: { idle: undefined },
    guard: undefined,
  })
  const list = await gateway.fetch(
    new Request('http://a/v1/models', { headers: { authorization: 'Bearer a' } }),
  )
  expect(await list.json()).toMatchObject({ data: [{ id: 'm' }] })
})

test('presets read the variable of their provider, and say when it is not set', () => {
  const { OPENAI_API_KEY: before } = process.env
  try {
    process.env['OPENAI_API_KEY'] = 'sk-canary'
    expect(openai().key?.reveal()).toBe('sk-canary')
    // A key goes to its own provider only.
    expect(openai({ url: 'http://127.0.0.1:9/v1' }).key).toBeUndefined()
    expect(openai({ key: 'mine' }).key?.reveal()).toBe('mine')
    expect(openai({ key: new Secret('mine') }).key?.reveal()).toBe('mine')
    expect(faults({ upstreams: { openai: openai() }, model: 'gpt-5.5' })).toEqual([])
    delete process.env['OPENAI_API_KEY']
    // A variable that is set to nothing is as good as none.
    expect(faults({ upstreams: { a: openai({ key: '' }) } })).toHaveLength(1)
    expect(faults({ upstreams: { a: openai() } })).toEqual([
      'upstreams.a: the provider openai needs a key: set OPENAI_API_KEY, or give it as key',
    ])
  } finally {
    if (before === undefined) delete process.env['OPENAI_API_KEY']
    else process.env['OPENAI_API_KEY'] = before
  }
})

test('an upstream that only passes needs no key, and one on this machine neither', () => {
  expect(
    faults({
      upstreams: { claude: { ...anthropic(), key: undefined }, ollama: ollama() },
      routes: [{ upstream: 'claude', passthrough: true }, { upstream: 'ollama' }],
    }),
  ).toEqual([])
})

test('types know the names of upstreams', () => {
  // @ts-expect-error -- there is no such upstream
  expect(() => createGateway({ upstreams: { up }, routes: [{ upstream: 'other' }] })).toThrow(OptionsError)
  // @ts-expect-error -- a key is a Secret
  expect(() => createGateway({ upstreams: { up: { ...up, key: 'abc' } } })).toThrow(OptionsError)
  // @ts-expect-error -- it is misspelt
  expect(() => createGateway({ upstreams: { up }, rotues: [] })).toThrow(OptionsError)
})
