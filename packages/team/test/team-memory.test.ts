import { expect, test } from 'vitest'
import { TeamMemory } from '../src/memory/team-memory.ts'
import { FileStore, type Kept } from '../src/index.ts'
import { TeamRests } from '../src/upstreams/team-rests.ts'

/** Two replicas on one store that can be taken away. */
function replicas() {
  const { kept } = new FileStore(':memory:')
  const state = { isGone: false }
  const guarded =
    <Values extends unknown[], Result>(action: (...values: Values) => Promise<Result>) =>
    (...values: Values): Promise<Result> =>
      state.isGone ? Promise.reject(new Error('gone')) : action(...values)
  const flaky: Kept = {
    get: guarded((client, keys) => kept.get(client, keys)),
    put: guarded((client, texts) => kept.put(client, texts)),
    delete: guarded((client, keys) => kept.delete(client, keys)),
  }
  const options = { kept: flaky, onLost() {}, isLost: () => state.isGone }
  return { state, one: new TeamMemory(options), other: new TeamMemory(options) }
}

/** What one client finds under a key. */
async function found(memory: TeamMemory, key: string, client = 'c'): Promise<unknown> {
  return (await memory.recall(client, [key])).get(key)
}

test('what one replica keeps the other finds, for the same client, until it is deleted', async () => {
  const { one, other } = replicas()
  const memory = await one.recall('c', [])
  memory.set('a', { text: 'some' })
  memory.set('b', 2)
  expect(memory.get('a')).toEqual({ text: 'some' })
  await expect.poll(() => found(other, 'a')).toEqual({ text: 'some' })
  expect(await found(other, 'a', 'd')).toBeUndefined()
  ;(await other.recall('c', ['a'])).delete('a')
  await expect.poll(() => found(one, 'a')).toBeUndefined()
  expect(await found(one, 'b')).toBe(2)
})

test('while the store is gone a replica knows its own and is unsure; the others hear of it later', async () => {
  const { state, one, other } = replicas()
  state.isGone = true
  ;(await one.recall('c', [])).set('a', 1)
  await expect.poll(() => found(one, 'a')).toBe(1)
  const unsure = await other.recall('c', ['a'])
  expect([unsure.get('a'), unsure.isUnsure]).toEqual([undefined, true])
  state.isGone = false
  expect(await found(other, 'a')).toBeUndefined()
  expect(await found(one, 'a')).toBe(1)
  await one.flush()
  expect(await found(other, 'a')).toBe(1)
})

test('replicas know together what rests, and when it works again', async () => {
  const { rests } = new FileStore(':memory:')
  const lost: unknown[] = []
  const options = { rests, interval: 20, onLost: (thrown: unknown) => lost.push(thrown) }
  const [one, other] = [new TeamRests(options), new TeamRests(options)]
  one.rest('key up a', 60_000)
  expect(one.restOf('key up a')).toBeGreaterThan(59_000)
  await expect.poll(() => other.restOf('key up a')).toBeGreaterThan(59_000)
  other.works('key up a')
  expect(other.restOf('key up a')).toBe(0)
  await expect.poll(() => one.restOf('key up a')).toBe(0)
  one.close()
  other.close()
  expect(lost).toEqual([])
})
