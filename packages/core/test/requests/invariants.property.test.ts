import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HubError } from '../../src/hub/error.ts'
import type { HubMessage } from '../../src/hub/request.ts'
import { blocksOf } from '../../src/hub/request.ts'
import { pairing } from '../../src/history/pairing.ts'
import { isLegal } from '../../src/history/is-legal.ts'
import { profiles } from '../../src/providers/providers.ts'
import { type ClientBody, clientBody } from './arbitraries.ts'
import { type NamedTarget, target, TARGETS } from './targets.ts'
import { chatFaults } from './check-chat-body.ts'
import type { Encoded } from './encode.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { encode } from './encode.ts'
import { UPSTREAM_LIMITS } from './upstream-limits.ts'

const RUNS = 700
/** The same requests in every run. */
const SEED = 20_261_116

/** What becomes of a request; nothing but a 400 that names its place may stand in the way. */
function tryEncode(body: ClientBody, to: NamedTarget): Encoded | undefined {
  try {
    return encode(body, to)
  } catch (error) {
    expect(error).toBeInstanceOf(HubError)
    expect(error).toMatchObject({ status: 400, path: expect.stringMatching(/^[a-z]/) })
    return undefined
  }
}

/** Checks many requests, and that most of them were not refused. */
function forAll(check: (encoded: Encoded, body: ClientBody, to: NamedTarget) => void): void {
  let encodedCount = 0
  fc.assert(
    fc.property(clientBody, target, (body, to) => {
      const encoded = tryEncode(body, to)
      if (encoded === undefined) return
      encodedCount++
      check(encoded, body, to)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(encodedCount).toBeGreaterThan(RUNS * 0.9)
}

test('invariant 7: whatever the client sent, the upstream gets a body that it accepts', () => {
  forAll(({ body }, _request, { profile }) => {
    expect(chatFaults(body, UPSTREAM_LIMITS[profile])).toEqual([])
  })
})

test('invariant 7: one request is legal for every profile and model', () => {
  fc.assert(
    fc.property(clientBody, (body) => {
      for (const to of TARGETS) {
        const encoded = tryEncode(body, to)
        if (encoded === undefined) continue
        expect(chatFaults(encoded.body, UPSTREAM_LIMITS[to.profile]), to.profile).toEqual([])
      }
    }),
    { numRuns: 40, seed: SEED },
  )
})

test('the translation is pure: the same request gives the same bytes and notes, and stays as it was', () => {
  forAll((encoded, body, to) => {
    const copy = deepFreeze(structuredClone(body))
    const again = encode(copy, to)
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(encoded.body))
    expect(again.notes).toEqual(encoded.notes)
    expect(body).toEqual(copy)
  })
})

/** Codes of notes that stand for everything of their kind. */
const FOR_ALL = new Set(['thinking_dropped', 'tool_deferred', 'tool_search_dropped'])
/** Codes of notes about something whose words are gone. */
const LOSSES = new Set([
  'assistant_media_dropped',
  'block_dropped',
  'document_context_dropped',
  'document_dropped',
  'result_duplicate',
  'system_cleared',
])

interface Mark {
  readonly text: string
  readonly path: string
}

/** Every marked text of a request with its path. */
function marksIn(value: unknown, path: string): Mark[] {
  if (typeof value === 'string') return (value.match(/<\d+>/g) ?? []).map((text) => ({ text, path }))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    if (Array.isArray(value)) return marksIn(item, `${path}[${key}]`)
    return marksIn(item, path === '' ? key : `${path}.${key}`)
  })
}

test('invariant 8: every text of the request is in the body, or a note names the place where it was', () => {
  let lost = 0
  forAll(({ body, notes }, request, { profile }) => {
    const written = JSON.stringify(body)
    const isRepaired = !isLegal(request.messages as HubMessage[], profiles[profile])
    for (const mark of marksIn(request, '')) {
      if (written.includes(mark.text)) continue
      lost++
      // A repaired history has other places than the request: there the kind of note must do.
      const told = notes.some(
        ({ code, path }) =>
          FOR_ALL.has(code) || (LOSSES.has(code) && (isRepaired || mark.path.startsWith(path))),
      )
      expect(told, `${mark.text} at ${mark.path} is gone: ${JSON.stringify(notes)}`).toBe(true)
    }
  })
  expect(lost).toBeGreaterThan(100)
})

test('invariant 8: every note has a code, a path into the request and a sentence', () => {
  forAll(({ notes }, request) => {
    for (const { code, path, message } of notes) {
      expect(code).toMatch(/^[a-z_]+$/)
      expect(message).toMatch(/\w/)
      const [, field, index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? []
      expect(Object.keys(request), path).toContain(field)
      const list = request[String(field)]
      if (index !== undefined && Array.isArray(list)) expect(list.length).toBeGreaterThan(Number(index))
    }
    expect(new Set(notes.map(({ code, path }) => `${code} ${path}`)).size).toBe(notes.length)
  })
})

/** A request may end before this message: the user has spoken, the answer says something, no result is due. */
function canEndBefore(messages: readonly HubMessage[], end: number): boolean {
  const next = messages[end]
  const before = messages.slice(0, end).findLast(({ role }) => role !== 'system')
  if (next?.role !== 'assistant' || before?.role !== 'user') return false
  const isSpoken = blocksOf(next).some(
    (block) => block.type === 'tool_use' || (block.type === 'text' && block.text !== ''),
  )
  const isSettled = pairing(messages).calls.every(
    (call) => call.messageIndex >= end || call.results.every(({ messageIndex }) => messageIndex < end),
  )
  return isSpoken && isSettled
}

/** The upstream was asked for an answer: system messages aside, the user's side had the last word. */
function isComplete({ messages }: Encoded): boolean {
  const last = messages.findLast(({ role }) => role !== 'system' && role !== 'developer')
  return last?.role === 'user' || last?.role === 'tool'
}

function withoutMessages({ body }: Encoded): string {
  return JSON.stringify({ ...body, messages: [] })
}

test('invariant 6: a longer history of the same conversation begins with the same bytes', () => {
  let compared = 0
  forAll((encoded, body, to) => {
    const messages = body.messages as HubMessage[]
    if (body.messages.some(({ clear_at: clearAt }) => clearAt !== undefined)) return
    for (let end = 1; end < messages.length; end++) {
      if (!canEndBefore(messages, end)) continue
      const start = tryEncode(deepFreeze({ ...body, messages: body.messages.slice(0, end) }), to)
      if (start === undefined || !isComplete(start)) continue
      expect(encoded.messages.slice(0, start.messages.length)).toEqual(start.messages)
      if (withoutMessages(start) !== withoutMessages(encoded)) continue
      compared++
      expect(JSON.stringify(encoded.body).startsWith(JSON.stringify(start.body).slice(0, -2))).toBe(true)
    }
  })
  expect(compared).toBeGreaterThan(250)
})

test('invariant 9: the names of all tools and calls come back as the client knows them', () => {
  forAll(({ messages, tools, reply }, request) => {
    const used = (request.messages as HubMessage[]).flatMap((message) =>
      blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? block.name : [])),
    )
    for (const name of used) expect(reply.names.toClient(reply.names.toWire(name))).toBe(name)
    const sent = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []) : [],
    )
    const names = sent.flatMap((call) => (call.type === 'function' ? call.function.name : []))
    expect(names.map((name) => reply.names.toClient(name)).toSorted()).toEqual(used.toSorted())
    for (const tool of tools ?? [])
      expect(reply.names.toWire(reply.names.toClient(tool.function.name))).toBe(tool.function.name)
  })
})

const upstreamId = fc.constantFrom(
  'call_0',
  'call_1',
  'functions.Read:0',
  'hyd1_Y2FsbF8w',
  'toolu_1',
  'ü',
  'x'.repeat(39),
)

test('invariant 9: an id of the upstream goes back to it as it came, and the client never sees one twice', () => {
  const conversation = fc.array(fc.uniqueArray(upstreamId, { minLength: 1, maxLength: 3 }), { maxLength: 5 })
  fc.assert(
    fc.property(conversation, (turns) => {
      const messages: unknown[] = [{ role: 'user', content: 'Go.' }]
      const clientIds: string[] = []
      for (const ids of turns) {
        const { reply } = encode({ model: 'm', max_tokens: 1, messages })
        const claimed = ids.map((id) => reply.callIds.claim(id, 'fallback'))
        clientIds.push(...claimed)
        messages.push(
          {
            role: 'assistant',
            content: claimed.map((id) => ({ type: 'tool_use', id, name: 'Read', input: {} })),
          },
          {
            role: 'user',
            content: claimed.map((id) => ({ type: 'tool_result', tool_use_id: id, content: id })),
          },
        )
      }
      expect(new Set(clientIds).size).toBe(clientIds.length)
      for (const id of clientIds) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
      const sent = sentIds(encode({ model: 'm', max_tokens: 1, messages }))
      // An id that is on the wire already has to be told apart from then on.
      for (const [index, id] of turns.flat().entries()) {
        if (id !== 'ü' && !sent.slice(0, index).includes(id)) expect(sent[index]).toBe(id)
      }
      expect(new Set(sent).size).toBe(sent.length)
    }),
    { numRuns: 150, seed: SEED },
  )
})

function sentIds({ messages }: Encoded): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  )
}
