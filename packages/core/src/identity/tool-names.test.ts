import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ToolNames } from './tool-names.ts'

const LONG = 'a'.repeat(100)

test('a legal name is the same on both sides', () => {
  const names = new ToolNames(64)
  expect(names.toWire('mcp__a-b__c_1')).toBe('mcp__a-b__c_1')
  expect(names.toClient('mcp__a-b__c_1')).toBe('mcp__a-b__c_1')
})

test('R18: a long name is its beginning and a hash of the whole', () => {
  const names = new ToolNames(64)
  expect(names.toWire(LONG)).toBe(`${'a'.repeat(55)}_28165978`)
  expect(names.toWire('a'.repeat(64))).toBe('a'.repeat(64))
  expect(names.toClient(names.toWire(LONG))).toBe(LONG)
})

test('R18: other characters become underlines, told apart by the hash', () => {
  const names = new ToolNames(64)
  const sent = ['a.b', 'a/b', 'a b', ''].map((name) => names.toWire(name))
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(new Set(sent).size).toBe(4)
  expect(sent.map((name) => names.toClient(name))).toEqual(['a.b', 'a/b', 'a b', ''])
})

test('R18: a name that is the short form of another stays distinct from it, in either order', () => {
  const short = new ToolNames(64).toWire('a b')
  for (const offered of [
    ['a b', short],
    [short, 'a b'],
  ]) {
    const names = new ToolNames(64, offered)
    const sent = offered.map((name) => names.toWire(name))
    expect(new Set(sent).size).toBe(2)
    expect(sent.map((name) => names.toClient(name))).toEqual(offered)
  }
})

test('C17: a name in another case is the client’s spelling; one that nobody offered stays', () => {
  const names = new ToolNames(64, ['Read', 'read_all'])
  expect(names.toClient('read')).toBe('Read')
  expect(names.toClient('READ_ALL')).toBe('read_all')
  expect(names.toClient('write')).toBe('write')
})

test('C17: of names that differ in case alone, the first one is meant', () => {
  expect(new ToolNames(64, ['read_ALL', 'READ_all']).toClient('read_all')).toBe('read_ALL')
})

test('a name that nobody offered is not looked for in all that were, for each call anew', () => {
  const offered = Array.from({ length: 1000 }, (_, index) => `tool_${index}`)
  const names = new ToolNames(64, offered)
  const looks = vi.spyOn(String.prototype, 'toLowerCase')
  try {
    for (let count = 0; count < 100; count += 1) names.toClient('write')
    expect(looks.mock.calls.length).toBeLessThan(2000)
  } finally {
    looks.mockRestore()
  }
})

test('names are legal, distinct and come back, whatever they are', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('__proto__', 'constructor', LONG, `${LONG}b`, 'a b', new ToolNames(64).toWire('a b')),
  )
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (all) => {
      const names = new ToolNames(64, all.slice(0, 5))
      const sent = all.map((one) => names.toWire(one))
      expect(new Set(sent).size).toBe(all.length)
      for (const one of sent) expect(one).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(sent.map((one) => names.toClient(one))).toEqual(all)
    }),
    { numRuns: 200, seed: 1 },
  )
})
