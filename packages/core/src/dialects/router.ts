import type { HeaderValues } from '../http/headers.ts'
import type { ClientDialect, Endpoint } from './dialect.ts'
import type { DialectName, DialectRegistry } from './registry.ts'

/** Whom an exchange is with: the dialect that the client speaks, and what it calls for. */
export interface Caller {
  readonly dialect: DialectName
  readonly client: ClientDialect
  /** Absent where the dialect has no such endpoint. */
  readonly endpoint?: Endpoint
  /** What the path says in the places of the endpoint's `{name}`s. */
  readonly params: Readonly<Record<string, string>>
}

/** What identifies the caller. */
export interface Incoming {
  readonly method: string
  readonly path: string
  readonly headers: HeaderValues
}

interface Address {
  readonly dialect: DialectName
  readonly client: ClientDialect
  readonly endpoint: Endpoint
  readonly pattern: RegExp
}

const NO_PARAMS: Caller['params'] = {}

/** Finds the dialect and the endpoint of a request among those of all dialects. */
export class Router {
  /** Endpoints without a `{name}`, by method and path: the way that nearly all requests take. */
  readonly #plain = new Map<string, Address[]>()
  readonly #patterns: Address[] = []
  /** All of them, those that know their clients first. */
  readonly #addresses: readonly Address[]
  readonly #clients: DialectRegistry['clients']

  constructor({ clients }: Pick<DialectRegistry, 'clients'>) {
    this.#clients = clients
    const addresses = clients.flatMap(({ name: dialect, client }) =>
      client.endpoints.map((endpoint) => ({ dialect, client, endpoint, pattern: patternOf(endpoint.path) })),
    )
    this.#addresses = addresses.toSorted(byClaim)
    for (const address of addresses) this.#add(address)
  }

  find(incoming: Incoming): Caller {
    const { method, path, headers } = incoming
    const plain = this.#plain.get(`${method} ${path}`)?.find(accepts(headers))
    if (plain !== undefined) return { ...callerOf(plain), params: NO_PARAMS }
    for (const address of this.#patterns) {
      if (address.endpoint.method !== method || !accepts(headers)(address)) continue
      const match = address.pattern.exec(path)
      if (match !== null) return { ...callerOf(address), params: decoded(match.groups ?? {}) }
    }
    return this.#recognise(incoming)
  }

  #add(address: Address): void {
    const { method, path } = address.endpoint
    if (path.includes('{')) {
      this.#patterns.push(address)
      this.#patterns.sort(byClaim)
      return
    }
    const key = `${method} ${path}`
    this.#plain.set(key, [...(this.#plain.get(key) ?? []), address].toSorted(byClaim))
  }

  /**
   * The dialect of an error for an unknown endpoint: the owner of the path, if only the method is unknown, else the
   * first dialect that recognises the request, else the first of all.
   */
  #recognise(incoming: Incoming): Caller {
    const [first] = this.#clients
    const sharing = this.#addresses.filter(accepts(incoming.headers))
    const owner = sharing.find(({ pattern }) => pattern.test(incoming.path))
    if (owner !== undefined) return { dialect: owner.dialect, client: owner.client, params: NO_PARAMS }
    const known = this.#clients.find(({ client }) => client.recognises(incoming)) ?? first
    if (known === undefined) throw new Error('the registry has no client dialect')
    return { dialect: known.name, client: known.client, params: NO_PARAMS }
  }
}

/** Dialects that know their clients by headers are asked before those that take any client. */
function byClaim(one: Address, other: Address): number {
  return Number(one.endpoint.when === undefined) - Number(other.endpoint.when === undefined)
}

function callerOf({ dialect, client, endpoint }: Address): Omit<Caller, 'params'> {
  return { dialect, client, endpoint }
}

function accepts(headers: HeaderValues): (address: Address) => boolean {
  return ({ endpoint }) => endpoint.when === undefined || endpoint.when(headers)
}

/**
 * Everything but the names in braces is meant literally; a name matches one segment or a part of it, one with a
 * plus for several.
 */
function patternOf(path: string): RegExp {
  const source = path
    .split(/\{(\w+\+?)\}/)
    .map((part, index) =>
      index % 2 === 1 ? group(part) : part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`),
    )
    .join('')
  return new RegExp(`^${source}$`)
}

function group(name: string): string {
  return name.endsWith('+') ? `(?<${name.slice(0, -1)}>.+)` : `(?<${name}>[^/]+?)`
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodedPart(value)]))
}

function decodedPart(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
