import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import { readSettings } from '../settings/read-settings.ts'
import { keepBooks } from './separate-books.ts'

const ENV = { HOME: '/nonexistent' }
const FREE = { name: 'free', hash: 'a'.repeat(64) }
const ADA = { name: 'ada', hash: 'b'.repeat(64), budgets: [{ per: 'day', dollars: 10 }] }
const WORDS = "the key 'ada' has limits, and each of 4 processes would count for itself: set --store"

test('limits that several processes would count for themselves are refused', async () => {
  const config = configFile({ keys: [FREE, ADA] })
  const store = 'file:team.db'
  await expect(readSettings({ config, workers: '4' }, ENV)).rejects.toThrow(WORDS)
  expect((await readSettings({ config, workers: '4', store }, ENV)).workers).toBe(4)
  expect((await readSettings({ config }, ENV)).workers).toBe(1)
  expect((await readSettings({ config: configFile({ keys: [FREE] }), workers: '4' }, ENV)).workers).toBe(4)
})

test('they are refused also when they come later, whatever store the new settings name', async () => {
  const before = await readSettings({ config: configFile({ keys: [FREE] }), workers: '4' }, ENV)
  const changed = await readSettings({ config: configFile({ keys: [ADA], store: 'file:team.db' }) }, ENV)
  expect(() => keepBooks(before, changed)).toThrow(WORDS)
})
