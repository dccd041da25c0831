import { isJsonObject, parseEvents } from '@hydra/core'
import type { TapedAnswer, TapedCall, TapedExchange } from '@hydra/tape'
import { type AnswerReading, parseText, readAnswer, upstreamForm } from '@hydra/inspector/summary'

/** How a live answer differs from the recorded one, in words. */
export interface MeaningDrift {
  /** What a program would notice: another status, another tool, another reason to stop. */
  readonly meaning: readonly string[]
  /** What only a reader of the wire would: fields that came and were not recorded, and the other way round. */
  readonly fields: readonly string[]
}

/** The request that is sent again: the last one to an upstream, or on a tape without any the client's own. */
export function lastCallOf({ calls, request, answer }: TapedExchange): TapedCall | undefined {
  const last = calls.at(-1)
  if (last !== undefined || request === undefined) return last
  return { request, via: undefined, answer }
}

/** Compares what two answers to the same request mean; their texts may differ. */
export function meaningDrift(call: TapedCall, live: TapedAnswer): MeaningDrift {
  const form = upstreamForm(call)
  const [then, now] = [readAnswer(call.answer, form), readAnswer(live, form)]
  const meaning = [
    ...changeOf('status', call.answer.status, live.status),
    ...changeOf('failure', then.failure, now.failure),
    ...changeOf('stop reason', then.stopReason, now.stopReason),
    ...changeOf('tools', toolsOf(then), toolsOf(now)),
  ]
  const [known, came] = [fieldsOf(call.answer), fieldsOf(live)]
  const fields = [
    ...[...came].filter((field) => !known.has(field)).map((field) => `new field ${field}`),
    ...[...known].filter((field) => !came.has(field)).map((field) => `no field ${field}`),
  ]
  return { meaning, fields: live.status === call.answer.status ? fields : [] }
}

type Compared = string | number | undefined

function changeOf(what: string, then: Compared, now: Compared): readonly string[] {
  return then === now ? [] : [`${what} was ${shown(then)} and is ${shown(now)}`]
}

function shown(value: Compared): string {
  return value === undefined || value === '' ? 'none' : String(value)
}

/** The tools that were called, with the names of what they were given: what is given differs as texts do. */
function toolsOf({ utterances }: AnswerReading): string {
  return utterances
    .filter(({ kind }) => kind === 'call')
    .map(({ name = '', text }) => {
      const input = parseText(text)
      return `${name}(${isJsonObject(input) ? Object.keys(input).toSorted().join(', ') : ''})`
    })
    .join(', ')
}

/** The paths of all fields of a body, be it one value or events. */
function fieldsOf({ chunks }: TapedAnswer): ReadonlySet<string> {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
  const whole = parseText(text)
  const values = whole === undefined ? parseEvents(text).events.map(({ data }) => parseText(data)) : [whole]
  const fields = new Set<string>()
  for (const value of values) collect(value, '', fields)
  return fields
}

/** Deeper than any answer nests. */
const MAX_DEPTH = 64

function collect(value: unknown, path: string, fields: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  for (const [name, inner] of Object.entries(value)) {
    const below = Array.isArray(value) ? `${path}[]` : `${path === '' ? '' : `${path}.`}${name}`
    if (!Array.isArray(value)) fields.add(below)
    collect(inner, below, fields, depth + 1)
  }
}
