import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { QEntry } from '../../src/dialects/amazon-q/wire.ts'
import { pairing } from '../../src/history/pairing.ts'
import { HubError } from '../../src/hub/error.ts'
import { blocksOf, type HubMessage } from '../../src/hub/request.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { type ClientBody, clientBody } from '../requests/arbitraries.ts'
import { readJson, requestNames } from '../requests/fixtures.ts'
import { faultsOf } from './check-turns.ts'
import { type EncodedTurns, encodeTurns } from './encode.ts'

const RUNS = 500
/** The same requests in every run. */
const SEED = 20_261_116

/** What becomes of a request; nothing but a 400 that names its place may stand in the way. */
function tryEncode(body: unknown): EncodedTurns | undefined {
  try {
    return encodeTurns(body)
  } catch (error) {
    expect(error).toBeInstanceOf(HubError)
    expect(error).toMatchObject({ status: 400, path: expect.stringMatching(/^[a-z]/) })
    return undefined
  }
}

/** Checks many requests, with any legal or illegal history, and that most of them were not refused. */
function forAll(check: (encoded: EncodedTurns, body: ClientBody) => void): void {
  let encodedCount = 0
  fc.assert(
    fc.property(clientBody, (body) => {
      const encoded = tryEncode(body)
      if (encoded === undefined) return
      encodedCount += 1
      check(encoded, body)
    }),
    { numRuns: RUNS, seed: SEED },
  )
  expect(encodedCount).toBeGreaterThan(RUNS * 0.9)
}

test('invariant 7: whatever the client sent, the turns alternate, begin and end with the user, and each call is answered once', () => {
  forAll(({ state }) => expect(faultsOf(state)).toEqual([]))
})

test.each(requestNames())('the request %s of the fixtures becomes strict turns, or a refusal', (name) => {
  const encoded = tryEncode(readJson(`${name}.json`))
  if (encoded === undefined) expect(name).toMatch(/-refused$/)
  else expect(faultsOf(encoded.state)).toEqual([])
})

function textsOf(content: unknown): string[] {
  return JSON.stringify(content ?? '').match(/<\d+>/g) ?? []
}

test('every result of the input is there exactly once, in a result or, without a call, in a text', () => {
  let checked = 0
  forAll(({ history, state, notes }, { messages }) => {
    const { calls, orphans } = pairing(messages as readonly HubMessage[])
    const turns: readonly QEntry[] = [...history, state.currentMessage]
    const told = turns.flatMap((turn) => ('userInputMessage' in turn ? [turn.userInputMessage] : []))
    const results = told.flatMap(({ userInputMessageContext: context }) => context?.toolResults ?? [])
    expect(results).toHaveLength(calls.length)
    const words = JSON.stringify(results.map(({ content }) => content))
    for (const { results: given } of calls) {
      const arrived = given.filter(({ block }) =>
        textsOf(block.content).every((mark) => words.includes(mark)),
      )
      // Where a call has several results one of them counts, and a note tells of each of the others.
      if (given.length > 0) expect(arrived.length).toBeGreaterThan(0)
      checked += given.length
    }
    const duplicates = calls.reduce((sum, call) => sum + Math.max(0, call.results.length - 1), 0)
    expect(notes.filter(({ code }) => code === 'result_duplicate')).toHaveLength(duplicates)
    const said = JSON.stringify(told.map(({ content }) => content))
    for (const { block } of orphans)
      for (const mark of textsOf(block.content)) if (!isUnsayable(block.content)) expect(said).toContain(mark)
  })
  expect(checked).toBeGreaterThan(RUNS)
})

/** Blocks of tomorrow in a result that became user text are dropped with a note. */
function isUnsayable(content: unknown): boolean {
  return Array.isArray(content) && content.some((block: { type?: unknown }) => block.type === 'of_tomorrow')
}

test('no text stands twice', () => {
  forAll(({ body }) => {
    const marks = textsOf(body)
    expect(new Set(marks).size).toBe(marks.length)
  })
})

test('the order of what was said stays', () => {
  forAll(({ history, current, notes }) => {
    if (notes.some(({ code }) => code === 'result_moved' || code === 'system_moved')) return
    const texts = [...history.map(wordsOf), wordsOf({ userInputMessage: current })]
    const numbers = texts.flatMap((text) => textsOf(text).map((mark) => Number(mark.slice(1, -1))))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })
})

/** The texts of a turn, without results and calls, which have an order of their own. */
function wordsOf(entry: QEntry): string {
  return 'userInputMessage' in entry ? entry.userInputMessage.content : entry.assistantResponseMessage.content
}

/** Codes of notes about something whose words are gone. */
const LOSSES = new Set([
  'assistant_media_dropped',
  'block_dropped',
  'result_duplicate',
  'system_cleared',
  'thinking_dropped',
  'tools_withheld',
])

test('invariant 8: every text of the request is in the body, or a note tells of a loss', () => {
  let lost = 0
  forAll(({ body, notes }, request) => {
    const written = JSON.stringify(body)
    const missing = textsOf(request).filter((mark) => !written.includes(mark))
    lost += missing.length
    if (missing.length > 0) expect(notes.filter(({ code }) => LOSSES.has(code))).not.toEqual([])
  })
  expect(lost).toBeGreaterThan(100)
})

test('invariant 8: what the assistant or the user never said has a note', () => {
  forAll(({ body, notes }) => {
    const written = JSON.stringify(body)
    const invented = ['(no answer)', '"Continue."', '(conversation continues)'].filter((words) =>
      written.includes(words),
    )
    if (invented.length > 0)
      expect(notes.filter(({ code }) => code.endsWith('_invented')).length).toBeGreaterThanOrEqual(
        invented.length,
      )
  })
})

test('the translation is pure: the same request gives the same bytes and notes, and stays as it was', () => {
  forAll((encoded, body) => {
    const copy = deepFreeze(structuredClone(body))
    const again = encodeTurns(copy)
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(encoded.body))
    expect(again.notes).toEqual(encoded.notes)
    expect(body).toEqual(copy)
  })
})

/** A request may end before this message: the user has spoken, the answer says something, no result is due. */
function canEndBefore(messages: readonly HubMessage[], end: number): boolean {
  const next = messages[end]
  if (next?.role !== 'assistant' || messages[end - 1]?.role !== 'user') return false
  const isSpoken = blocksOf(next).some(
    (block) => block.type === 'tool_use' || (block.type === 'text' && block.text !== ''),
  )
  return (
    isSpoken &&
    pairing(messages).calls.every(
      (call) => call.messageIndex >= end || call.results.every(({ messageIndex }) => messageIndex < end),
    )
  )
}

test('invariant 6: a longer history of the same conversation begins with the same turns', () => {
  let compared = 0
  forAll((encoded, body) => {
    const messages = body.messages as HubMessage[]
    if (body.messages.some(({ clear_at: clearAt }) => clearAt !== undefined)) return
    for (let end = 1; end < messages.length; end += 1) {
      if (!canEndBefore(messages, end)) continue
      const start = tryEncode(deepFreeze({ ...body, messages: body.messages.slice(0, end) }))
      if (start === undefined || start.current.content.endsWith('Continue.')) continue
      compared += 1
      const begin = JSON.stringify(start.history).slice(0, -1)
      expect(JSON.stringify(encoded.history).startsWith(begin)).toBe(true)
    }
  })
  expect(compared).toBeGreaterThan(200)
})

test('invariant 9: the names of all calls and tools come back as the client knows them', () => {
  forAll(({ history, current, reply }, request) => {
    const used = (request.messages as readonly HubMessage[]).flatMap((message) =>
      message.role === 'assistant'
        ? blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? block.name : []))
        : [],
    )
    const sent = history.flatMap((entry) =>
      'assistantResponseMessage' in entry ? (entry.assistantResponseMessage.toolUses ?? []) : [],
    )
    expect(sent.map(({ name }) => reply.names.toClient(name)).toSorted()).toEqual(used.toSorted())
    for (const { toolSpecification: tool } of current.userInputMessageContext?.tools ?? [])
      expect(reply.names.toWire(reply.names.toClient(tool.name))).toBe(tool.name)
  })
})
