import { isJsonObject } from '@hydra/core'
import { firstDifference, shortenPair } from '@hydra/tape'
import { type Answer, type NormalAnswer, normalizeAnswer, type NormalBody } from './normalize-answer.ts'
import type { ParsedEvent } from './parse-event.ts'

/** The first place where an answer is not the expected one. */
export interface Difference {
  /** Where, such as `status`, `event 4 (content_block_delta) delta.text` or `the end`. */
  readonly where: string
  /** Both sides on one line, shortened to where they part. */
  readonly expected: string
  readonly actual: string
}

/** Compares two answers event by event; what is different in every run makes no difference. */
export function compareAnswers(expected: Answer, actual: Answer): Difference | undefined {
  const [wanted, given] = [normalizeAnswer(expected), normalizeAnswer(actual)]
  return compareHeads(wanted, given) ?? compareBodies(wanted.body, given.body) ?? compareEnds(wanted, given)
}

/** Compares as far as the expected answer goes: for one that its client did not read to the end. */
export function compareBeginnings(expected: Answer, actual: Answer): Difference | undefined {
  if (expected.status === undefined) return undefined
  const [wanted, given] = [normalizeAnswer(expected), normalizeAnswer(actual)]
  return compareHeads(wanted, given) ?? compareBodies(...beginnings(wanted.body, given.body))
}

/** A difference in words, on three lines. */
export function describeDifference({ where, expected, actual }: Difference): string {
  return `${where}\n  expected ${expected}\n  got      ${actual}`
}

function compareHeads(expected: NormalAnswer, actual: NormalAnswer): Difference | undefined {
  return (
    differenceAt('status', expected.status, actual.status) ??
    differenceAt('headers', expected.headers, actual.headers)
  )
}

function compareEnds(expected: NormalAnswer, actual: NormalAnswer): Difference | undefined {
  return differenceAt('the end', expected.end, actual.end)
}

function compareBodies(expected: NormalBody, actual: NormalBody): Difference | undefined {
  if ('value' in expected && 'value' in actual) return differenceAt('body', expected.value, actual.value)
  if ('events' in expected && 'events' in actual) {
    return (
      compareEvents(expected.events, actual.events) ??
      differenceAt('what follows the last event', expected.rest, actual.rest)
    )
  }
  return { where: 'body', expected: kindOf(expected), actual: kindOf(actual) }
}

function kindOf(body: NormalBody): string {
  return 'events' in body ? `${body.events.length} events` : 'one body without events'
}

function compareEvents(
  expected: readonly ParsedEvent[],
  actual: readonly ParsedEvent[],
): Difference | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const [wanted, given] = [expected[index], actual[index]]
    const where = `event ${index + 1} (${nameOf(wanted ?? given)})`
    const found =
      wanted === undefined || given === undefined || wanted.name !== given.name
        ? differenceAt(where, wanted && summaryOf(wanted), given && summaryOf(given))
        : differenceAt(where, wanted.data, given.data)
    if (found !== undefined) return found
  }
  return undefined
}

/** What OpenAI's unnamed events are called says nothing; the type inside an event does. */
function nameOf(event: ParsedEvent | undefined): string {
  if (event === undefined) return ''
  const { name, data } = event
  return isJsonObject(data) && typeof data['type'] === 'string' ? data['type'] : name
}

function summaryOf({ name, data }: ParsedEvent): unknown {
  return name === 'message' ? data : { event: name, data }
}

function differenceAt(place: string, expected: unknown, actual: unknown): Difference | undefined {
  const found = firstDifference(expected, actual)
  if (found === undefined) return undefined
  const where = found.path === '' ? place : `${place} ${found.path}`
  return { where, ...shortenPair(found.expected, found.actual) }
}

/** A client that left early may have read a little more or less than the recorded client; half an event tells nothing. */
function beginnings(expected: NormalBody, actual: NormalBody): [NormalBody, NormalBody] {
  // A JSON body that was not read to its end was not parsed.
  if ('value' in expected)
    return typeof expected.value === 'string' ? [expected, expected] : [expected, actual]
  if ('value' in actual) return [expected, actual]
  const { events } = expected
  return [
    { events, rest: '' },
    { events: actual.events.slice(0, events.length), rest: '' },
  ]
}
