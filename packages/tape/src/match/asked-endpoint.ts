import { type ClientDialect, type DialectName, type Endpoint, registry } from '@hydra/core'

/** What a path asks for, in a dialect that has such an endpoint. */
export interface AskedEndpoint {
  readonly dialect: DialectName
  readonly client: ClientDialect
  readonly endpoint: Endpoint
  /** The end of the path that says what is asked for, whatever address the provider has: `/messages`. */
  readonly route: string
  /** What the path says in the places of the endpoint's `{name}`s. */
  readonly params: Readonly<Record<string, string>>
}

/** A version at the beginning of an endpoint, which providers replace by their own or leave out. */
const VERSION = /^\/v\d+\w*(?=\/)/

/** Patterns by the paths of endpoints: as many as the dialects have. */
const patterns = new Map<string, RegExp>()

/**
 * Finds what a path asks for among the endpoints of all dialects, behind whatever the address of a provider begins
 * with. Of several that fit it is the shortest: the rest belongs to the address; and of those the one that says most of
 * the path itself: `/models/{model}` fits also where `/models/{model}:generateContent` is meant.
 */
export function askedEndpoint(path: string): AskedEndpoint | undefined {
  const plain = withoutQuery(path)
  let shortest: AskedEndpoint | undefined
  for (const { name, client } of registry.clients) {
    for (const endpoint of client.endpoints) {
      const match = endPattern(endpoint.path.replace(VERSION, '')).exec(plain)
      if (match === null) continue
      if (shortest !== undefined && !isBetter({ endpoint, route: match[0] }, shortest)) continue
      shortest = { dialect: name, client, endpoint, route: match[0], params: match.groups ?? {} }
    }
  }
  return shortest
}

type Fitting = Pick<AskedEndpoint, 'endpoint' | 'route'>

function isBetter(one: Fitting, other: Fitting): boolean {
  if (one.route.length !== other.route.length) return one.route.length < other.route.length
  return spelledOut(one) > spelledOut(other)
}

/** How much of a path an endpoint says itself. */
function spelledOut({ endpoint: { path } }: Fitting): number {
  return path.replace(VERSION, '').replaceAll(/\{\w+\+?\}/g, '').length
}

/** The shortest endpoint of a client that a path ends in, with its version: what the client adds to its base URL. */
export function addedPath(path: string, { endpoints }: Pick<ClientDialect, 'endpoints'>): string | undefined {
  const plain = withoutQuery(path)
  const fitting = endpoints.flatMap((endpoint) => endPattern(endpoint.path).exec(plain)?.[0] ?? [])
  return fitting.toSorted((one, other) => one.length - other.length)[0]
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? ''
}

/** Finds an endpoint at the end of a path; each `{name}` is one segment or a part of it, each `{name+}` may be several. */
function endPattern(path: string): RegExp {
  const known = patterns.get(path)
  if (known !== undefined) return known
  const source = path
    .split(/(\{\w+\+?\})/)
    .map((part, index) =>
      index % 2 === 1 ? groupOf(part) : part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`),
    )
    .join('')
  const pattern = new RegExp(`${source}$`)
  patterns.set(path, pattern)
  return pattern
}

function groupOf(placeholder: string): string {
  const name = /\w+/.exec(placeholder)?.[0] ?? ''
  return placeholder.endsWith('+}') ? `(?<${name}>.+?)` : `(?<${name}>[^/]+?)`
}
