import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { FileStore } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'hydra-file-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

const demand = { rate: 1, tokens: 1, money: 0 }
const order = { account: 'a', id: 'one', limits: { streams: 2 }, demand, lease: 60_000 }

test('while another process writes to the file, this one goes on with everything else', async () => {
  const path = join(folder, 'team.db')
  const store = new FileStore(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const waiting = Promise.all([
    store.reserve(order),
    store.records.put('hash', 'text'),
    store.rests.put('key', 1000),
    store.kept.put('client', new Map([['name', 'text']])),
    store.ping(),
  ])
  await turn()
  other.exec('ROLLBACK')
  const [{ refusal }] = await waiting
  expect(refusal).toBeUndefined()
  expect(await store.records.get('hash')).toBe('text')
  other.close()
  await store.close()
})

test('a file that stays locked is told, and the next one is not in its way', async () => {
  const path = join(folder, 'locked.db')
  const store = new FileStore(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await expect(store.reserve(order)).rejects.toThrow('database is locked')
  other.exec('ROLLBACK')
  expect((await store.reserve(order)).account.held.count).toBe(1)
  other.close()
  await store.close()
})
