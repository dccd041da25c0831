import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { ClientCall, EncodedRequest } from '../../src/dialects/dialect.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { registry } from '../../src/dialects/registry.ts'
import { HubError } from '../../src/hub/error.ts'
import type { Note } from '../../src/hub/note.ts'
import { isJsonObject } from '../../src/json/json-object.ts'
import { type ClientBody, clientBody } from '../requests/arbitraries.ts'
import { type Pair, PAIRS } from './pair.ts'

const SEED = 20_261_118
const RUNS = 80

/** What a client of a dialect would send, written by our own encoder of it; refused if it has no words for that. */
function bodyFor(name: string, body: ClientBody): unknown {
  const upstream = registry.upstream(name)
  const { request } = anthropic.client.decodeRequest(plainCall(body))
  const wire = upstream.encodeRequest(request, { model: body.model, profile: upstream.defaultProfile })
  return JSON.parse(JSON.stringify(wire.body))
}

/** A client's call; some dialects name the model in the path. */
function callWith(body: unknown): ClientCall {
  return plainCall(body, { params: { model: 'm' } })
}

interface Sent extends EncodedRequest {
  readonly all: readonly Note[]
}

/** What the upstream gets for a client's body; nothing but a 400 with the path of the fault may stand in the way. */
function send({ client, upstream, writer }: Pair, body: unknown): Sent | undefined {
  try {
    const { request, notes } = client.decodeRequest(callWith(body))
    const { model = 'some-model' } = writer
    const target = { model, profile: upstream.defaultProfile, client, newId: () => 'unique' }
    const encoded = upstream.encodeRequest(request, target)
    return { ...encoded, all: [...notes, ...encoded.notes] }
  } catch (error) {
    expect(error).toBeInstanceOf(HubError)
    expect(error).toMatchObject({ status: 400, path: expect.any(String) })
    return undefined
  }
}

/** Another value somewhere in a body, as a client that is broken would send it. */
function broken(value: unknown, [at, ...path]: readonly number[], put: unknown): unknown {
  if (at === undefined) return put
  const entries = isJsonObject(value) || Array.isArray(value) ? Object.entries(value) : []
  if (entries.length === 0) return put
  const [key, inner] = entries[at % entries.length] as [string, unknown]
  const changed = broken(inner, path, put)
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? changed : item) as unknown)
  return { ...(value as object), [key]: changed }
}

const STRANGE = fc.oneof(
  fc.constantFrom(null, '', 0, -1, true, [], {}, [null], [{}], 'x', '\uD800', { type: 'text' }, { type: 5 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const PATH = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 })

/** Some bodies, made once: all pairs of a client are asked with the same. */
const SAMPLE = fc.sample(clientBody, { numRuns: RUNS, seed: SEED })
const SPOILED = fc.sample(fc.array(fc.tuple(PATH, STRANGE), { minLength: 1, maxLength: 2 }), {
  numRuns: RUNS * 3,
  seed: SEED,
})

function bodiesOf(name: string): unknown[] {
  return SAMPLE.flatMap((body) => {
    try {
      return [bodyFor(name, body)]
    } catch {
      return []
    }
  })
}

const BODIES = new Map(registry.clients.map(({ name }) => [name, bodiesOf(name)]))

describe.each(PAIRS)('$name', (pair) => {
  const bodies = BODIES.get(pair.name.split(' × ', 1)[0] ?? '') ?? []
  const { writer } = pair

  test('invariant 7: what a client sends is legal for the upstream', () => {
    const sent = bodies.map((body) => send(pair, body)).filter((encoded) => encoded !== undefined)
    for (const { body } of sent) expect(writer.faults(body), JSON.stringify(body)).toEqual([])
    expect(sent.length).toBeGreaterThan(RUNS / 2)
  })

  test('invariant 7: what is broken is legal all the same, or refused with the path of the fault', () => {
    let refused = 0
    for (const [index, changes] of SPOILED.entries()) {
      const body = bodies[index % bodies.length]
      const spoiled = changes.reduce<unknown>((value, [path, put]) => broken(value, path, put), body)
      const encoded = send(pair, spoiled)
      if (encoded === undefined) refused += 1
      else expect(writer.faults(encoded.body), JSON.stringify([spoiled, encoded.body])).toEqual([])
    }
    expect(refused).toBeGreaterThan(10)
    expect(refused).toBeLessThan(SPOILED.length)
  })

  test('invariant 8: every text that a client sends is in what the upstream gets, or there is a note', () => {
    let lost = 0
    for (const body of bodies) {
      const encoded = send(pair, body)
      if (encoded === undefined) continue
      const written = JSON.stringify(encoded.body)
      const marks = [...new Set(JSON.stringify(body).match(/<\d+>/g))]
      const gone = marks.filter((mark) => !written.includes(mark))
      lost += gone.length
      const codes = encoded.all.map(({ code }) => code)
      if (gone.length > 0) expect(codes.some(isLoss), `${gone.join()}: ${codes.join()}`).toBe(true)
    }
    expect(lost).toBeLessThan(bodies.length * 4)
  })

  test('invariant 4: the same request gives the same bytes', () => {
    for (const body of bodies) {
      const [one, two] = [send(pair, body), send(pair, structuredClone(body))]
      expect(JSON.stringify(two?.body)).toBe(JSON.stringify(one?.body))
      expect(two?.all).toEqual(one?.all)
    }
  })
})

/** Whether a note tells of something that is gone. */
function isLoss(code: string): boolean {
  return /_dropped$|_cleared$|_deferred$|_duplicate$|_ignored$/.test(code)
}
