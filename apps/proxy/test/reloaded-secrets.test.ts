import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashOf } from '@hydra/team'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile, temporaryFolder } from './temporary.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

const as = (key: string) => ({ 'x-api-key': key })

/** Has the configuration read again, and waits for what is said about it. */
async function reload(hydra: Hydra, file: string, content: object, words: string): Promise<void> {
  writeFileSync(file, JSON.stringify(content))
  hydra.signal('SIGHUP')
  await eventually(() => hydra.output().includes(words) || undefined, words)
}

test.each([[[]], [['--workers', '2']]])(
  'a configuration that has lost its key is refused where other machines could come in (%j)',
  async (args) => {
    const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
    const open = { host: '0.0.0.0', upstreams: { up: { url: upstream.url } }, routes: [{ upstream: 'up' }] }
    const file = configFile({ ...open, key: 'env:DOOR' })
    const hydra = await opened(startHydra(['--config', file, ...args], { DOOR: 'a-key-of-the-door' }))
    const own = { url: `http://127.0.0.1:${hydra.port}` }
    expect((await post(own)).status).toBe(401)
    await reload(hydra, file, open, 'the old one stays: listening on 0.0.0.0 lets other machines in')
    expect((await post(own)).status).toBe(401)
    expect((await post(own, {}, as('a-key-of-the-door'))).status).toBe(200)
  },
  20_000,
)

test('the shared key of a team, its prices and its upstreams change with the configuration', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
  const secret = join(temporaryFolder(), 'secret')
  writeFileSync(secret, 'first-shared-key')
  const ada = { name: 'ada', hash: hashOf('hydra_ada'), budgets: [{ per: 'day', dollars: 1 }] }
  const configOf = (name: string) => ({
    key: `file:${secret}`,
    keys: [ada],
    upstreams: { [name]: { url: upstream.url } },
    routes: [{ upstream: name, model: 'm' }],
    prices: { [name]: { m: { input: 1, output: 1 } } },
  })
  const file = configFile(configOf('one'))
  const hydra = await opened(startHydra(['--config', file]))
  expect((await post(hydra, {}, as('first-shared-key'))).status).toBe(200)
  writeFileSync(secret, 'other-shared-key')
  await reload(hydra, file, configOf('other'), 'was read again')
  const statuses = await Promise.all(
    ['first-shared-key', 'other-shared-key', 'hydra_ada'].map(
      async (key) => (await post(hydra, {}, as(key))).status,
    ),
  )
  expect(statuses).toEqual([401, 200, 200])
})

test('keys of a pool and keys that come with a changed configuration are on no tape', async () => {
  const upstream = await opened(
    startUpstream((seen, response, number) => {
      const text = `you sent ${seen.headers.authorization?.replace('Bearer ', '')}`
      void answer({ text })(seen, response, number)
    }),
  )
  const configOf = (variable: string) => ({
    upstreams: { up: { url: upstream.url, keys: [{ key: `env:${variable}`, label: variable }] } },
    routes: [{ upstream: 'up', model: 'm' }],
  })
  const file = configFile(configOf('FIRST'))
  const root = join(temporaryFolder(), 'tapes')
  // Names of variables that do not say that they hold secrets.
  const env = { FIRST: 'Unusual.first/0001', OTHER: 'Unusual.other/0002' }
  const hydra = await opened(startHydra(['--config', file, '--record', root], env))
  expect(await (await post(hydra)).text()).toContain(env.FIRST)
  await reload(hydra, file, configOf('OTHER'), 'was read again')
  expect(await (await post(hydra)).text()).toContain(env.OTHER)
  hydra.signal('SIGTERM')
  await hydra.ended
  const written = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  expect(written).toContain('you sent ~K')
  expect(written).not.toContain('Unusual.')
})

test('what a change of the configuration needs a restart for is said', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
  const base = { port: 0, upstreams: { up: { url: upstream.url } }, routes: [{ upstream: 'up' }] }
  const file = configFile(base)
  const hydra = await opened(startHydra(['--config', file]))
  const keys = [{ name: 'ada', hash: hashOf('hydra_ada') }]
  await reload(hydra, file, { ...base, keys, metrics: true }, 'was read again')
  expect(hydra.output()).toContain('the change of store and keys in the configuration counts only after')
  expect(hydra.output()).toContain('the change of metrics in the configuration counts only after')
})
