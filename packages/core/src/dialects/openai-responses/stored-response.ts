import { HubError } from '../../hub/error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { Memory } from '../dialect.ts'
import type { WireResponse } from './wire.ts'

/** An answer that is kept, with everything that led to it. */
export interface StoredResponse {
  readonly response: WireResponse
  /** The items of its request. */
  readonly input: readonly JsonObject[]
  /** The items before those, from the answers that it continued. */
  readonly context: readonly unknown[]
  /** The provider made it and knows it by its id; others are known only to us. */
  readonly isRelayed?: boolean
}

/** Under which key an answer is kept. */
export function responseKey(id: string): string {
  return `openai-responses response ${id}`
}

/** Under which key one item of an answer is kept. */
export function itemKey(id: string): string {
  return `openai-responses item ${id}`
}

/** Keeps an answer and its items. */
export function storeResponse(memory: Memory, stored: StoredResponse): void {
  memory.set(responseKey(stored.response.id), stored)
  for (const item of stored.response.output) if (item.id) memory.set(itemKey(item.id), item)
}

/** Forgets an answer and its items. */
export function forgetResponse(memory: Memory, { response }: StoredResponse): void {
  // It would still be there when what cannot be reached now is back.
  if (memory.isUnsure === true) throw unsure()
  memory.delete(responseKey(response.id))
  for (const item of response.output) if (item.id) memory.delete(itemKey(item.id))
}

/** An answer that is asked for by its id. */
export function storedResponse(memory: Memory, id: string): StoredResponse {
  const stored = lookUp(memory, id)
  if (stored !== undefined) return stored
  throw missing(memory, `Response with id '${id}' not found.`, { path: 'response_id' })
}

/** The items that a request continues. */
export function previousItems(memory: Memory, id: string): readonly unknown[] {
  const stored = lookUp(memory, id)
  if (stored !== undefined) return [...stored.context, ...stored.input, ...stored.response.output]
  const message = `Previous response with id '${id}' not found.`
  throw missing(memory, message, { path: 'previous_response_id', status: 400 })
}

/** Whether an answer is kept here that its provider does not know. */
export function isOurs(memory: Memory, id: string): boolean {
  const stored = lookUp(memory, id)
  return stored !== undefined && stored.isRelayed !== true
}

/** An item that a request refers to. */
export function storedItem(memory: Memory, id: string): JsonObject {
  const item = memory.get(itemKey(id))
  if (isJsonObject(item)) return item
  throw missing(memory, `Item with id '${id}' not found.`, { path: 'input' })
}

const UNSURE_WAIT = 2

/** Nobody is told that something is gone which only cannot be reached. */
function missing(
  { isUnsure }: Memory,
  message: string,
  place: { readonly path: string; readonly status?: number },
): HubError {
  if (isUnsure !== true) return new HubError('not_found_error', message, place)
  return unsure()
}

function unsure(): HubError {
  return new HubError('overloaded_error', 'what is kept of earlier answers cannot be reached at the moment', {
    status: 503,
    retryAfter: UNSURE_WAIT,
  })
}

/** A memory may be outside of this process, and of another version: it is looked at before it is used. */
function lookUp(memory: Memory, id: string): StoredResponse | undefined {
  const stored = memory.get(responseKey(id))
  if (!isJsonObject(stored) || !isJsonObject(stored.response)) return undefined
  const isWhole = [stored.response.output, stored.input, stored.context].every(Array.isArray)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, as far as it is used
  return isWhole ? (stored as unknown as StoredResponse) : undefined
}
