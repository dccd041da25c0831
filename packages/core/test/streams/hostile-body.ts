import * as fc from 'fast-check'
import { arbitraryAnswer } from './arbitrary-answer.ts'
import { streamFixtures } from './fixtures.ts'
import { toBytes } from './translator.ts'

/** A JSON value where a provider would not put it. */
const VALUE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    -1,
    1.5,
    true,
    [],
    {},
    '__proto__',
    'stop',
    'error',
    '{',
    '[DONE]',
    [[]],
    [null],
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom({ toString: 1 }, { constructor: {} }, { length: -1 }, { type: 'constructor' }),
)

type Bodies = fc.Arbitrary<Uint8Array>

/** A body in which one value of one event is another one. */
function withStrangeValues(bodies: Bodies): Bodies {
  return fc
    .tuple(bodies, fc.array(fc.tuple(fc.nat(), fc.nat(), VALUE), { minLength: 1, maxLength: 3 }))
    .map(([bytes, changes]) => {
      const lines = new TextDecoder().decode(bytes).split('\n')
      for (const [line, place, value] of changes) replaceValue(lines, { line, place, value })
      return toBytes(lines.join('\n'))
    })
}

const SPLICES = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 4 })), {
  minLength: 1,
  maxLength: 4,
})

/** A body with other bytes in it. */
function withStrangeBytes(bodies: Bodies): Bodies {
  return fc.tuple(bodies, SPLICES).map(([bytes, changes]) => {
    let result = bytes
    for (const [at, removed, added] of changes)
      result = spliced(result, at % (result.length + 1), removed, added)
    return result
  })
}

/** A body whose events are dropped, repeated or out of order. */
function withStrangeOrder(bodies: Bodies): Bodies {
  return fc.tuple(bodies, fc.array(fc.nat(), { minLength: 1, maxLength: 20 })).map(([bytes, order]) => {
    const events = new TextDecoder().decode(bytes).split('\n\n')
    return toBytes(order.map((number) => events[number % events.length] ?? '').join('\n\n'))
  })
}

const LINE = fc.constantFrom(
  'data:',
  'data: ',
  'data: {}',
  'data: [DONE]',
  ': c',
  'error: x',
  'event: error',
  '\r',
  '\n',
  '\n\n',
  '\r\n',
  '\uFEFF',
  'id: 1',
  '{"choices":[]}',
  '<',
  'data: null',
  '😀',
)
const noise: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.array(LINE, { maxLength: 12 }).map((lines) => toBytes(lines.join(''))),
)

/** What becomes of good bodies when something goes wrong: none that an upstream should send. */
export function hostileBodyFrom(bodies: Bodies): Bodies {
  return fc.oneof(
    { weight: 3, arbitrary: withStrangeValues(bodies) },
    { weight: 2, arbitrary: withStrangeBytes(bodies) },
    { weight: 2, arbitrary: withStrangeOrder(bodies) },
    { weight: 1, arbitrary: noise },
  )
}

/** A body that no upstream of Chat Completions should send. */
export const hostileBody: Bodies = hostileBodyFrom(
  fc.oneof(
    fc.constantFrom(...streamFixtures().map(({ bytes }) => bytes)),
    arbitraryAnswer.map(({ body }) => toBytes(body)),
  ),
)

function spliced(bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)])
}

function replaceValue(lines: string[], change: { line: number; place: number; value: unknown }): void {
  const numbers = lines.flatMap((line, number) => (line.startsWith('data: {') ? [number] : []))
  const number = numbers[change.line % Math.max(1, numbers.length)]
  if (number === undefined) return
  try {
    const event: unknown = JSON.parse((lines[number] ?? '').slice(6))
    lines[number] = `data: ${JSON.stringify(changed(event, change))}`
  } catch {
    // An event of a fixture that is no JSON is strange enough.
  }
}

function changed(event: unknown, { place, value }: { place: number; value: unknown }): unknown {
  const places = placesOf(event)
  const chosen = places[place % Math.max(1, places.length)]
  if (chosen === undefined) return value
  chosen.container[chosen.key] = value
  return event
}

interface Place {
  readonly container: Record<string, unknown>
  readonly key: string
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Record<string, unknown>
  return Object.keys(container).flatMap((key) => [{ container, key }].concat(placesOf(container[key])))
}
