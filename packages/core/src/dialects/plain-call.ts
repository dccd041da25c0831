import type { ClientCall, Memory } from './dialect.ts'

/** Remembers nothing. */
const NO_MEMORY: Memory = { get: () => undefined, set() {}, delete() {} }

/** A client's call by its body, where there is no HTTP request around it; whatever else is known goes along. */
export function plainCall(body: unknown, known: Partial<ClientCall> = {}): ClientCall {
  return {
    method: 'POST',
    path: '/',
    params: {},
    query: {},
    headers: {},
    body,
    now: 0,
    newId: () => '0',
    memory: NO_MEMORY,
    ...known,
  }
}
