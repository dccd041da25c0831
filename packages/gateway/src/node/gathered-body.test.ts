import { expect, test } from 'vitest'
import { GatheredBody } from './gathered-body.ts'

function heardBy(body: GatheredBody): string[] {
  const heard: string[] = []
  body.listener = {
    data: (bytes) => heard.push(Buffer.from(bytes).toString()),
    end: () => heard.push('end'),
    error: ({ message }) => heard.push(message),
  }
  return heard
}

function push(body: GatheredBody, ...pieces: readonly string[]): void {
  for (const piece of pieces) body.push(Buffer.from(piece))
}

test('the pieces of one read are handed on together and in order, but for the first of an answer', async () => {
  const body = new GatheredBody()
  const heard = heardBy(body)
  push(body, 'a', 'b', 'c')
  expect(heard).toEqual(['a'])
  await Promise.resolve()
  push(body, 'd')
  await Promise.resolve()
  expect(heard).toEqual(['a', 'bc', 'd'])
})

test('an end and a failure come behind everything that came before them', async () => {
  const ended = new GatheredBody()
  const failed = new GatheredBody()
  const heard = [heardBy(ended), heardBy(failed)]
  push(ended, 'a', 'b')
  ended.end()
  push(failed, 'a', 'b')
  failed.error(new Error('broken'))
  await Promise.resolve()
  expect(heard).toEqual([
    ['a', 'b', 'end'],
    ['a', 'b', 'broken'],
  ])
})

test('a paused answer hands nothing on until it goes on', async () => {
  const body = new GatheredBody()
  const heard = heardBy(body)
  body.pause()
  push(body, 'a', 'b')
  await Promise.resolve()
  expect(heard).toEqual([])
  body.resume()
  expect(heard).toEqual(['ab'])
})

test('an answer that is paused by what it goes on with stays paused', () => {
  const body = new GatheredBody()
  heardBy(body)
  body.pause()
  push(body, 'a')
  body.listener = { ...body.listener, data: () => body.pause() }
  body.resume()
  expect(body.isPaused).toBe(true)
})

test('an answer that nobody wants any more hands nothing on', async () => {
  const body = new GatheredBody()
  const heard = heardBy(body)
  push(body, 'a', 'b')
  body.drop()
  await Promise.resolve()
  expect(heard).toEqual(['a'])
})
