import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI, { RateLimitError } from 'openai'
import { expect, test } from 'vitest'
import { beginStream, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, runHydra, runHydraHere, startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile, temporaryFolder } from './temporary.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()

/** An upstream that answers every request with a few tokens. */
function shortUpstream(): Promise<Upstream> {
  return opened(
    startUpstream((_seen, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          id: 'c',
          object: 'chat.completion',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 },
        }),
      )
    }),
  )
}

interface MadeKey {
  readonly id: string
  readonly key: string
}

async function makeKey(store: string, ...options: string[]): Promise<MadeKey> {
  const args = ['keys', 'create', '--store', store, '--name', 'ada', '--json', ...options]
  const { code, stdout, stderr } = await runHydra(args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as MadeKey
}

function serve(upstream: Upstream, store: string, env: Record<string, string> = {}): Promise<Hydra> {
  const args = ['--target-url', upstream.url, '--model', 'm', '--store', store, '--log', 'json']
  return opened(startHydra(args, env))
}

const newStore = (): string => `file:${join(temporaryFolder(), 'team.db')}`
const as = (key: string) => ({ 'x-api-key': key })

test('a key is made, used, counted, rotated and revoked, and is in no output', async () => {
  const store = newStore()
  const upstream = await shortUpstream()
  const { id, key } = await makeKey(store, '--owner', 'maths', '--budget', '1000tokens/day')
  const hydra = await serve(upstream, store)
  expect((await post(hydra)).status).toBe(401)
  expect((await post(hydra, {}, as('hydra_wrong1'))).status).toBe(401)
  expect((await post(hydra, {}, as(key))).status).toBe(200)
  const books = await eventually(async () => {
    const { stdout } = await runHydra(['usage', '--store', store, '--by', 'owner', '--json'])
    return stdout === '[]\n' ? undefined : (JSON.parse(stdout) as unknown)
  }, 'the books')
  expect(books).toEqual([{ owner: 'maths', requests: 1, input: 40, output: 10, usd: 0 }])
  const rotated = JSON.parse(
    (await runHydra(['keys', 'rotate', id, '--store', store, '--json'])).stdout,
  ) as MadeKey
  expect((await post(hydra, {}, as(rotated.key))).status).toBe(200)
  await eventually(
    async () => (await post(hydra, {}, as(key))).status === 401 || undefined,
    'the old key is refused',
  )
  expect((await runHydra(['keys', 'revoke', id, '--store', store])).stdout).toBe(`${id} is revoked\n`)
  await eventually(
    async () => (await post(hydra, {}, as(rotated.key))).status === 401 || undefined,
    'the revocation',
  )
  const shown = await runHydra(['keys', 'show', id, '--store', store])
  const count = upstream.seen.length
  expect(shown.stdout).toContain(`today ${count * 50} tokens`)
  const csv = await runHydra(['usage', '--store', store, '--csv'])
  expect(csv.stdout).toContain(`${id} ada,${count},${count * 40},${count * 10},0.000000`)
  const printed =
    hydra.output() + shown.stdout + csv.stdout + (await runHydra(['keys', 'list', '--store', store])).stdout
  expect(printed).not.toContain(key)
  expect(printed).not.toContain(rotated.key)
  const path = store.replace('file:', '')
  const kept = [path, `${path}-wal`].map((file) => readFileSync(file).toString('latin1')).join('')
  expect(kept).toContain(id)
  expect(kept).not.toContain(key)
  expect(kept).not.toContain(rotated.key)
  expect(printed).toContain(`"identity":{"id":"${id}","name":"ada","owner":"maths"}`)
}, 30_000)

test('a spent budget is refused for good, and a restart does not give it back', async () => {
  const store = newStore()
  const upstream = await shortUpstream()
  const { key } = await makeKey(store, '--budget', '160tokens/month')
  const first = await serve(upstream, store)
  expect((await post(first, { max_tokens: 60 }, as(key))).status).toBe(200)
  first.signal('SIGTERM')
  await first.ended
  const second = await serve(upstream, store)
  const refused = await post(second, {}, as(key))
  expect(refused.status).toBe(402)
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(await refused.json()).toMatchObject({
    error: {
      type: 'billing_error',
      message: expect.stringMatching(
        /^the budget of this key is 160 tokens per month: 50 tokens spent, .* begins anew at 20/,
      ),
    },
  })
}, 20_000)

/** Counts what a client sends. */
function countingFetch(): { fetch: typeof fetch; readonly sent: Response[] } {
  const sent: Response[] = []
  return {
    sent,
    fetch: async (...call) => {
      const answer = await fetch(...call)
      sent.push(answer.clone())
      return answer
    },
  }
}

const SPENT = /the budget of this key is 160 tokens per day: \d+ tokens spent, .* begins anew at 20/

test('official clients take a spent budget for final, and show why', async () => {
  const store = newStore()
  const upstream = await shortUpstream()
  const { key } = await makeKey(store, '--budget', '160tokens/day')
  const hydra = await serve(upstream, store)
  expect((await post(hydra, { max_tokens: 60 }, as(key))).status).toBe(200)
  const counted = countingFetch()
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const anthropic = new Anthropic({ baseURL: hydra.url, apiKey: key, fetch: counted.fetch })
  const openai = new OpenAI({ baseURL: `${hydra.url}/v1`, apiKey: key, fetch: counted.fetch })
  const refused = await Promise.allSettled([
    anthropic.messages.create({ model: 'c', max_tokens: 200, messages }),
    openai.chat.completions.create({ model: 'c', max_tokens: 200, messages }),
    openai.responses.create({ model: 'c', max_output_tokens: 200, input: 'Hi' }),
  ])
  const reasons = refused.map((one) => (one.status === 'rejected' ? String(one.reason) : 'answered'))
  expect(reasons).toEqual([1, 2, 3].map(() => expect.stringMatching(SPENT)))
  // OpenAI itself says it with 429 and insufficient_quota in the Responses API. Nobody asked twice.
  const statuses = counted.sent.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([402, 402, 429])
  const gemini = await fetch(`${hydra.url}/v1beta/models/c:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
    body: JSON.stringify({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: 200 },
    }),
  })
  expect([gemini.status, await gemini.text()]).toEqual([403, expect.stringMatching(SPENT)])
  expect(upstream.seen).toHaveLength(1)
}, 20_000)

test('official clients wait as long as a rate says, and their headers tell what refuses', async () => {
  const store = newStore()
  const upstream = await shortUpstream()
  const { key } = await makeKey(store, '--rpm', '60', '--tpm', '60000')
  const { key: tight } = await makeKey(store, '--rpm', '1')
  const hydra = await serve(upstream, store)
  const openai = new OpenAI({ baseURL: `${hydra.url}/v1`, apiKey: key })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const { response } = await openai.chat.completions.create({ model: 'c', messages }).withResponse()
  const shown = ['limit', 'remaining', 'reset'].map((name) =>
    response.headers.get(`x-ratelimit-${name}-requests`),
  )
  expect(shown).toEqual(['60', '59', '1s'])
  expect(response.headers.get('x-ratelimit-limit-tokens')).toBe('60000')
  const calm = new OpenAI({ baseURL: `${hydra.url}/v1`, apiKey: tight, maxRetries: 0 })
  const first = await calm.chat.completions.create({ model: 'c', messages }).withResponse()
  expect(first.response.headers.get('x-ratelimit-remaining-requests')).toBe('0')
  const thrown = await calm.chat.completions.create({ model: 'c', messages }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(RateLimitError)
  expect((thrown as InstanceType<typeof RateLimitError>).headers.get('retry-after')).toBe('60')
}, 20_000)

test('rates are told in the headers, and a budget in dollars needs a price', async () => {
  const store = newStore()
  const upstream = await shortUpstream()
  const { key } = await makeKey(store, '--rpm', '1')
  const { key: priced } = await makeKey(store, '--budget', '1usd/day')
  const hydra = await serve(upstream, store)
  const answer = await post(hydra, {}, as(key))
  expect(answer.headers.get('anthropic-ratelimit-requests-limit')).toBe('1')
  const refused = await post(hydra, {}, as(key))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  const unpriced = await post(hydra, {}, as(priced))
  expect(unpriced.status).toBe(403)
  expect(await unpriced.text()).toContain('no price is known for m')
}, 20_000)

test('probes say whether it lives and wants requests, and need no key', async () => {
  const upstream = await opened(
    startUpstream((_seen, response) => {
      beginStream(response)
      writeChunk(response, { content: 'Some text' })
    }),
  )
  const hydra = await serve(upstream, 'redis://127.0.0.1:9')
  expect((await fetch(`${hydra.url}/livez`)).status).toBe(200)
  const ready = await fetch(`${hydra.url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({
    status: 'not ready',
    reason: 'store redis://127.0.0.1:9: it cannot be reached',
  })
  // It has never seen a key, so it can serve nobody.
  expect((await fetch(`${hydra.url}/readyz?store=optional`)).status).toBe(503)
  expect((await post(hydra, {}, as('hydra_any1'))).status).toBe(503)
  const memory = await serve(upstream, 'memory')
  expect((await fetch(`${memory.url}/readyz`)).status).toBe(200)
}, 20_000)

test('keys of a configuration count, and secrets come from files', async () => {
  const upstream = await shortUpstream()
  const store = newStore()
  const secret = join(temporaryFolder(), 'secret')
  writeFileSync(secret, 'canary-of-upstream\n')
  const config = configFile({
    store,
    keys: [{ name: 'john', owner: 'poets', hash: await hashed('hydra_john1') }],
    upstreams: { up: { url: upstream.url, keys: [{ key: `file:${secret}`, label: 'main' }] } },
    routes: [{ upstream: 'up' }],
  })
  const hydra = await opened(startHydra(['--config', config, '--log', 'json']))
  expect((await post(hydra, {}, as('hydra_other1'))).status).toBe(401)
  expect((await post(hydra, {}, as('hydra_john1'))).status).toBe(200)
  expect(upstream.seen.at(-1)?.headers.authorization).toBe('Bearer canary-of-upstream')
  await eventually(() => hydra.output().includes('"label":"main"') || undefined, 'the report')
  expect(hydra.output()).not.toContain('canary-of-upstream')
  const books = await eventually(async () => {
    const { stdout } = await runHydra(['usage', '--config', config, '--by', 'owner', '--csv'])
    return stdout.includes('poets') ? stdout : undefined
  }, 'the books')
  expect(books).toContain('poets,1,40,10,')
}, 20_000)

async function hashed(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return Buffer.from(digest).toString('hex')
}

const NO_DATABASE = join(temporaryFolder(), 'no-database')
writeFileSync(NO_DATABASE, 'not a database, and longer than the header of one: '.repeat(10))

test('mistakes are told in one line', async () => {
  const faults = await Promise.all(
    [
      ['keys'],
      ['keys', 'create', '--store', newStore()],
      ['keys', 'create', '--name', 'x', '--store', newStore(), '--budget', '10eur/day'],
      ['keys', 'show', 'key_none', '--store', newStore()],
      ['keys', 'list'],
      ['keys', 'list', '--store', 'postgres://u:canary@h'],
      ['usage', '--store', newStore(), '--by', 'colour'],
      ['keys', 'create', '--name', 'x', '--store', newStore(), '--budget', '99999999usd/day'],
      ['keys', 'create', '--name', 'x', '--store', newStore(), '--models', ','],
      ['keys', 'list', '--store', `file:${NO_DATABASE}`],
      ['serve', '--port', '0', '--store', `file:${NO_DATABASE}`],
      ['keys', 'list', '--store', 'redis://127.0.0.1:9'],
      ['keys', 'list', 'ada', '--store', newStore()],
    ].map(async (args) => {
      const { code, stderr } = await runHydraHere(args)
      return [code, stderr.replace(/^hydra: /, '')]
    }),
  )
  expect(faults).toEqual([
    [2, 'expected create, list, show, revoke, rotate, hash; see hydra keys --help\n'],
    [2, 'who is the key for? type --name NAME\n'],
    [2, '--budget 10eur/day: expected such as 10usd/day, 2.5usd/week or 500000tokens/month\n'],
    [2, "there is no key 'key_none'; see hydra keys list\n"],
    [2, 'where are the keys kept? set --store file:PATH or --store redis://HOST, or HYDRA_STORE\n'],
    [
      2,
      '--store: expected memory, file:PATH or redis://HOST:PORT (also rediss:, valkey:; of a cluster redis://HOST,HOST,HOST)\n',
    ],
    [2, "--by: expected key, owner, model, agent, day, got 'colour'\n"],
    [2, '--budget 99999999usd/day: expected at most 1000000usd\n'],
    [2, '--models: expected at least one name\n'],
    [2, `store file ${NO_DATABASE}: it cannot be opened: file is not a database\n`],
    [2, `store file ${NO_DATABASE}: it cannot be opened: file is not a database\n`],
    [2, 'store redis://127.0.0.1:9: it cannot be reached: connect ECONNREFUSED 127.0.0.1:9\n'],
    [2, "hydra keys list: unexpected 'ada'\n"],
  ])
}, 20_000)

test.each([
  [
    'a folder that is not there',
    'file:/nonexistent/team.db',
    /^hydra: store file \/nonexistent\/team\.db: it cannot be opened: .+\n$/,
  ],
  [
    'a server that is not there',
    'redis://127.0.0.1:9',
    /^hydra: store redis:\/\/127\.0\.0\.1:9: it cannot be reached: .*ECONNREFUSED.*\n$/,
  ],
])('%s is one line', async (_what, store, line) => {
  const { code, stderr } = await runHydra(['keys', 'list', '--store', store])
  expect(stderr).toMatch(line)
  expect(code).toBe(2)
})
