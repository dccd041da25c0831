import { createRedaction } from '@hydra/tape'
import { expect, test, vi } from 'vitest'
import type { ExchangeEntry } from '../page/page-data.ts'
import { LiveStore } from '../store/live-store.ts'
import { LiveReader } from './live-reader.ts'

const REQUEST = { method: 'POST', path: '/v1/messages', headers: {}, dialect: 'anthropic' } as const

/** A session of a person who asks for one thing after the other; the last one is answered too. */
function fill(store: LiveStore, session: string, turns: number): void {
  const messages: object[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    messages.push({ role: 'user', content: `${session} ${turn}: ${'please '.repeat(300)}` })
    const exchange = store.begin({ name: 'c', session })
    exchange.clientRequest(REQUEST, JSON.stringify({ model: 'm', max_tokens: 1, messages }))
    exchange.done('answered')
    messages.push({ role: 'assistant', content: `answer ${turn}` })
  }
}

function readerOf(store: LiveStore): { reader: LiveReader; told: ExchangeEntry[]; stop: () => void } {
  const reader = new LiveReader(store, createRedaction({ secrets: [] }))
  const told: ExchangeEntry[] = []
  const stop = reader.listen({ session: () => {}, entry: (entry) => told.push(entry), gone: () => {} })
  return { reader, told, stop }
}

test('what came last is read first, however long the history before it is', async () => {
  const store = new LiveStore()
  fill(store, 'old', 60)
  fill(store, 'new', 1)
  const { told, stop } = readerOf(store)
  const first = (): ExchangeEntry | undefined => told.find(({ title }) => title !== '')
  // oxlint-disable-next-line no-await-in-loop -- it is waited for
  while (first() === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
  stop()
  expect(first()?.title).toMatch(/^new 1/)
})

test('a long session is read in slices, between which the traffic goes on', async () => {
  const store = new LiveStore()
  fill(store, 'long', 60)
  const { reader, stop } = readerOf(store)
  const last = reader.find('live-60')
  if (last === undefined) throw new Error('it is not kept')
  let isReady = false
  let turns = 0
  const ready = reader.prepare(last).then(() => (isReady = true))
  // oxlint-disable-next-line no-unmodified-loop-condition -- the promise above changes it
  while (!isReady) {
    turns += 1
    // oxlint-disable-next-line no-await-in-loop -- each turn of the loop is counted
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ready
  expect(turns).toBeGreaterThan(2)
  expect(reader.page(last)?.entry.continues).toBe(59)
  stop()
})

test('a search waits until everything was read', async () => {
  const store = new LiveStore()
  fill(store, 'first', 20)
  fill(store, 'second', 1)
  const { reader, stop } = readerOf(store)
  await reader.prepareAll()
  expect(reader.search(['first 7:'])).toEqual(['live-7'])
  stop()
})

test('a page that is loaded again has what was read, and after a while without one all of it is forgotten', async () => {
  vi.useFakeTimers()
  try {
    const store = new LiveStore()
    fill(store, 'kept', 3)
    const { reader, stop } = readerOf(store)
    await vi.advanceTimersByTimeAsync(1000)
    stop()
    fill(store, 'meanwhile', 1)
    const titles: string[] = []
    const listener = {
      session: () => {},
      entry: ({ title }: ExchangeEntry) => titles.push(title),
      gone: () => {},
    }
    const stopAgain = reader.listen(listener)
    expect(titles.map((title) => title.slice(0, 6))).toEqual(['kept 1', 'kept 2', 'kept 3', ''])
    await vi.advanceTimersByTimeAsync(1000)
    expect(titles.at(-1)).toMatch(/^meanwhile 1/)
    stopAgain()
    await vi.advanceTimersByTimeAsync(11_000)
    expect(store.listener).toBeUndefined()
    expect(reader.search(['kept'])).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
