import { type HubError, SECRET_SHAPES } from '@hydra/core'
import { Secret } from '@hydra/gateway'
import { expect, test } from 'vitest'
import { type ClientKey, createTeam, hashOf, MemoryStore, newKey, newKeyId } from '../src/index.ts'

function gone(): never {
  throw new Error('gone')
}

const info = (key: string | undefined, query = '') => ({
  method: 'POST',
  path: '/v1/messages',
  query,
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  native: undefined,
})

function keyOf(key: string, rest: Partial<ClientKey> = {}): ClientKey {
  return { id: newKeyId(), name: 'ada', hash: hashOf(key), ...rest }
}

test('keys are long, different, and known to our redaction', () => {
  const shape = SECRET_SHAPES.find(({ owner }) => owner.startsWith('Hydra'))
  for (let index = 0; index < 50; index += 1) {
    const key = newKey()
    expect(key).toMatch(/^hydra_[0-9A-Za-z]{40}$/)
    expect(key).toMatch(new RegExp(`^${shape?.beginning}(?=\\w*\\d)`))
    expect(newKey()).not.toBe(key)
  }
})

test('a key is found by its hash, wherever the client puts it', async () => {
  const store = new MemoryStore()
  const key = newKey()
  const record = keyOf(key, { owner: 'maths', limits: { streams: 2 }, models: ['m*'] })
  await store.records.put(record.hash, JSON.stringify(record))
  const team = await createTeam({ store })
  const expected = { id: record.id, name: 'ada', owner: 'maths', limits: { streams: 2 }, models: ['m*'] }
  expect(await team.authorize(info(key))).toMatchObject(expected)
  expect(await team.authorize(info(undefined, `?key=${key}`))).toMatchObject(expected)
  expect(JSON.stringify(await team.authorize(info(key)))).not.toContain(key)
  expect(JSON.stringify([...(await store.records.all())])).not.toContain(key)
  await team.close()
})

test('unknown, revoked and expired keys get the same answer', async () => {
  const store = new MemoryStore()
  const revoked = newKey()
  const expired = newKey()
  const team = await createTeam({
    store,
    keys: [
      keyOf(revoked, { revoked: '2026-01-01T00:00:00Z' }),
      keyOf(expired, { expires: '2026-01-01T00:00:00Z' }),
    ],
  })
  const answers = await Promise.all(
    [revoked, expired, newKey(), undefined].map((key) => team.authorize(info(key))),
  )
  expect(answers.map((answer) => [(answer as HubError).status, (answer as HubError).message])).toEqual(
    answers.map(() => [401, expect.stringMatching(/^this server asks for a key/)]),
  )
  await team.close()
})

test('a key that was made or revoked a moment ago counts', async () => {
  const store = new MemoryStore()
  const team = await createTeam({ store })
  const key = newKey()
  const record = keyOf(key)
  await store.records.put(record.hash, JSON.stringify(record))
  expect(await team.authorize(info(key))).toMatchObject({ id: record.id })
  const revoked = { ...record, revoked: new Date().toISOString() }
  await store.records.put(record.hash, JSON.stringify(revoked))
  await expect.poll(() => team.authorize(info(key)), { timeout: 3000 }).toMatchObject({ status: 401 })
  await team.close()
})

test('without the store known keys work, revoked ones stay revoked, and unknown ones are not let in', async () => {
  const store = new MemoryStore()
  const [good, bad] = [newKey(), newKey()]
  for (const record of [keyOf(good), keyOf(bad, { revoked: '2026-01-01T00:00:00Z' })]) {
    // oxlint-disable-next-line no-await-in-loop
    await store.records.put(record.hash, JSON.stringify(record))
  }
  const team = await createTeam({ store })
  Object.assign(store.records, { get: gone, all: gone, version: gone })
  Object.assign(store, { ping: gone })
  expect(await team.authorize(info(good))).toMatchObject({ name: 'ada' })
  expect(await team.authorize(info(bad))).toMatchObject({ status: 401 })
  expect(await team.authorize(info(newKey()))).toMatchObject({ status: 503 })
  const both = { ...info(newKey()), headers: { 'x-api-key': newKey(), authorization: `Bearer ${good}` } }
  expect(await team.authorize(both)).toMatchObject({ name: 'ada' })
  await expect.poll(() => team.trouble(), { timeout: 3000 }).toBe('store memory: it cannot be reached')
  await team.close()
})

test('strangers do not have the store asked for each of many keys, nor for what is no key of ours', async () => {
  const store = new MemoryStore()
  const team = await createTeam({ store })
  let asked = 0
  Object.assign(store.records, { get: () => void (asked += 1) })
  const many = Array.from({ length: 2000 }, (_, index) => `key=hydra_${index}`).join('&')
  expect(await team.authorize(info('sk-of-a-provider1'))).toMatchObject({ status: 401 })
  expect(asked).toBe(0)
  expect(await team.authorize(info(undefined, `?${many}`))).toMatchObject({ status: 401 })
  expect(asked).toBeLessThan(5)
  await team.close()
})

test('a key that all share has no limits', async () => {
  const team = await createTeam({ store: new MemoryStore(), sharedKey: new Secret('for-all') })
  expect(await team.authorize(info('for-all'))).toBe(true)
  await team.close()
})
