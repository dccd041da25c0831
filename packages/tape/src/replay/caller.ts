import { type Caller, type ClientDialect, registry, Router } from '@hydra/core'
import type { TapedExchange } from '../format/tape.ts'

/** Who sent the request of a recorded exchange: by what the tape says, else by the path that it came in at. */
export function callerOf({ request }: Pick<TapedExchange, 'request'>): Caller {
  const { method = 'POST', path = '/', headers = {} } = request ?? {}
  const named = registry.clients.filter(({ name }) => name === request?.dialect)
  // Headers that tell dialects apart are not on every tape, so only the one that the tape names is asked.
  const clients = named.length === 0 ? registry.clients : named
  return new Router({ clients }).find({ method, path: pathOf(path), headers })
}

/** Why it is not known who sent a request. */
export function unknownCaller({ request }: Pick<TapedExchange, 'request'>): string | undefined {
  const name = request?.dialect
  if (name === undefined || registry.get(name)?.client !== undefined) return undefined
  return `there is no client dialect '${name}'`
}

/** The unique part of a message's id, from which a gateway makes the same id again. */
export function uniquePart(id: string, { newId }: Pick<ClientDialect, 'newId'>): string {
  const [before = '', after = ''] = newId.message('\0').split('\0')
  if (!id.startsWith(before) || !id.endsWith(after)) return id
  return id.slice(before.length, id.length - after.length)
}

/** A path without its query. */
export function pathOf(path: string): string {
  return path.split('?', 1)[0] ?? path
}

/** The fields of a path's query. */
export function queryOf(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(path.slice(pathOf(path).length)))
}
