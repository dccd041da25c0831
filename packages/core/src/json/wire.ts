import { HubError } from '../hub/error.ts'
import { exceedsDepth } from './depth-of-text.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'
import { MAX_JSON_DEPTH } from './measure.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { typeName } from './type-name.ts'

/** Shorter events cannot overflow a stack, however deep they nest. */
const HARMLESS_LENGTH = 2048

/** A JSON object as it came from an upstream. */
export type WireObject = JsonObject

/**
 * A value that an upstream should not have sent, with its place on the wire. Providers leave fields out, send null
 * and other types than they document, so everything is `unknown` until it was looked at.
 */
export class WireFault extends Error {
  override readonly name = 'WireFault'

  /** What came is a value, named by its type, or words for it. */
  constructor(path: string, expected: string, got: unknown) {
    super(`expected ${path} to be ${expected}, got ${typeof got === 'string' ? got : typeName(got)}`)
  }
}

/** A JSON object, or `undefined` for null and missing values; anything else is a fault. */
export function objectAt(value: unknown, path: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined
  if (!isJsonObject(value)) throw new WireFault(path, 'an object', typeName(value))
  return value
}

/** The elements of an array, none for null and missing values; anything else is a fault. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new WireFault(path, 'an array', typeName(value))
  return value
}

/** A string, '' for null and missing values; anything else is a fault. */
export function textAt(value: unknown, path: string): string {
  return value === undefined || value === null ? '' : expectedText(value, path)
}

/** A string; anything else is a fault. */
export function expectedText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new WireFault(path, 'a string', typeName(value))
  return value
}

/** The arguments of a call as JSON text, which some servers send as the object itself; '' where there are none. */
export function argumentsAt(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (isJsonObject(value)) return JSON.stringify(value)
  throw new WireFault(path, 'a string or an object', typeName(value))
}

/** A whole number of tokens, which clients insist on; counts that are no numbers are as good as missing. */
export function countAt(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined
}

/** The object that the data of an event is; its length and nesting are bounded, so that a walk through it ends. */
export function eventObject(data: string, dialect: string): WireObject {
  if (data.length > MAX_EVENT_LENGTH)
    throw new WireFault('an event', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  if (data.length > HARMLESS_LENGTH && exceedsDepth(data, MAX_JSON_DEPTH))
    throw new WireFault('an event', `nested at most ${MAX_JSON_DEPTH} deep`, 'more')
  const value = parsedEvent(data, dialect)
  const event = objectAt(value, 'an event')
  if (event === undefined) throw new WireFault('an event', 'an object', value)
  return event
}

function parsedEvent(data: string, dialect: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new HubError('api_error', `${dialect}: an event is not JSON`, { status: 502, cause })
  }
}

/** Whatever a decoder threw as the error for the client: a fault with its dialect and the number of its event. */
export function locatedFault(thrown: unknown, dialect: string, event?: number): unknown {
  if (!(thrown instanceof WireFault)) return thrown
  const place = event === undefined ? '' : ` (event ${event})`
  return new HubError('api_error', `${dialect}: ${thrown.message}${place}`, { status: 502, cause: thrown })
}

/** The JSON value of a text; `undefined` where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
