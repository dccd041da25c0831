import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { CallIdsInUse, WireCallIds } from './call-ids.ts'

const OPENAI = { maxLength: 40, pattern: /^[!-~]+$/ }
const MISTRAL = { maxLength: 9, pattern: /^[a-zA-Z0-9]{9}$/ }

test('C14: a legal id that is new is passed on as it is', () => {
  expect(new CallIdsInUse().claim('toolu_1', 'x')).toBe('toolu_1')
})

test('C6: without an id a new one in the client’s form is taken', () => {
  expect(new CallIdsInUse().claim('', 'own')).toBe('toolu_own')
})

test('C14: an id with characters that Anthropic refuses gets a legal form, and goes back as it came', () => {
  const id = new CallIdsInUse().claim('functions.Read:0', 'x')
  expect(id).toBe('hyd1_ZnVuY3Rpb25zLlJlYWQ6MA')
  expect(new WireCallIds(OPENAI).toWire(id)).toBe('functions.Read:0')
})

test('C15: an id that was used gets a distinct form each time', () => {
  const ids = new CallIdsInUse()
  ids.add('call_0')
  expect([ids.claim('call_0', 'x'), ids.claim('call_0', 'x')]).toEqual(['hyd1_Y2FsbF8w', 'hyd2_Y2FsbF8w'])
})

test('an id that is used again and again costs the same each time', () => {
  const ids = new CallIdsInUse()
  const looks = vi.spyOn(Set.prototype, 'has')
  try {
    for (let count = 0; count < 1000; count += 1) ids.claim('call_0', 'x')
    expect(looks.mock.calls.length).toBeLessThan(5000)
  } finally {
    looks.mockRestore()
  }
})

test('C15: on the wire only the first of them can be the original', () => {
  const wire = new WireCallIds(OPENAI)
  const sent = ['call_0', 'hyd1_Y2FsbF8w', 'hyd2_Y2FsbF8w'].map((id) => wire.toWire(id))
  expect(sent).toEqual(['call_0', 'hyd1_Y2FsbF8w', 'hyd2_Y2FsbF8w'])
})

test('an upstream’s id that looks like ours goes back as it came', () => {
  const id = new CallIdsInUse().claim('hyd1_Y2FsbF8w', 'x')
  expect(new WireCallIds(OPENAI).toWire(id)).toBe('hyd1_Y2FsbF8w')
})

test('an id that only looks like ours stays what it is', () => {
  expect(new WireCallIds(OPENAI).toWire('hyd1_%%')).toBe('hyd1_%%')
  expect(new WireCallIds(OPENAI).toWire('hyd1__w')).toBe('hyd1__w')
})

test('R18: an id that the upstream refuses becomes a hash, the same for the call and its result', () => {
  const wire = new WireCallIds(OPENAI)
  expect(wire.toWire('x'.repeat(41))).toMatch(/^[0-9a-f]{32}$/)
  expect(wire.toWire('x'.repeat(41))).toBe(wire.toWire('x'.repeat(41)))
  expect(new WireCallIds(MISTRAL).toWire('toolu_1')).toMatch(/^[0-9a-f]{9}$/)
  expect(new WireCallIds(MISTRAL).toWire('AbC123456')).toBe('AbC123456')
})

test('a hash that another call has as its id is not taken twice', () => {
  const hash = new WireCallIds(MISTRAL).toWire('toolu_1')
  const wire = new WireCallIds(MISTRAL)
  expect(wire.toWire(hash)).toBe(hash)
  expect(wire.toWire('toolu_1')).not.toBe(hash)
})

const anyId = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }),
  fc.constantFrom('a', 'b', 'hyd1_YQ', 'hyd2_YQ', 'call_0', '123456789'),
)

test('claimed ids are legal for the client and distinct; accepted originals come back on the wire', () => {
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 10 }), fc.constantFrom(OPENAI, MISTRAL), (upstreamIds, rule) => {
      const inUse = new CallIdsInUse()
      const wire = new WireCallIds(rule)
      const claimed = upstreamIds.map((id) => inUse.claim(id, 'x'))
      const sent = claimed.map((id) => wire.toWire(id))
      expect(new Set(claimed).size).toBe(claimed.length)
      expect(new Set(sent).size).toBe(sent.length)
      for (const id of claimed) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
      for (const [index, id] of upstreamIds.entries()) {
        expect(sent[index]?.length).toBeLessThanOrEqual(rule.maxLength)
        expect(sent[index]).toMatch(rule.pattern)
        const isTaken = sent.slice(0, index).includes(id)
        const isAccepted = id.length <= rule.maxLength && rule.pattern.test(id)
        if (isAccepted && !isTaken) expect(sent[index]).toBe(id)
      }
    }),
    { numRuns: 500, seed: 1 },
  )
})
