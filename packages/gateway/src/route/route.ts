import { headerOf, type HeaderValues, HubError, type RoutedParts } from '@hydra/core'
import type { Timeouts } from '../options.ts'
import { hasMarker } from './marker.ts'

/** What a request must be like for a route; every condition that is given must hold. */
export interface RouteMatch {
  /** Names of models; `*` stands for any characters. */
  readonly models?: readonly string[]
  /** A word in the system prompt or the first messages; agents that another agent started never match. */
  readonly marker?: string
  /** A header, and its value if that matters. */
  readonly header?: { readonly name: string; readonly value?: string }
  /** Bounds of the request's size in bytes. */
  readonly minBytes?: number
  readonly maxBytes?: number
  readonly hasTools?: boolean
  readonly hasImages?: boolean
}

/** Where a call goes: which upstream, and under which model name. */
export interface RouteTarget {
  readonly upstream: string
  /** The upstream's name for the model; by default what the client asked for. */
  readonly model?: string | undefined
}

/** One rule of where requests go. */
export interface Route extends RouteTarget {
  readonly name: string
  readonly match?: RouteMatch
  /** Names of the client's models and what the upstream calls them; `*` stands for any characters. */
  readonly models?: Readonly<Record<string, string>>
  /** The model name the client is told; by default what it asked for. */
  readonly spoof?: string | undefined
  /** Sends the request unchanged, with the client's own credentials, also if its form is not known here. */
  readonly passthrough?: boolean
  /** How long things may take here, where that is not as everywhere: some models think for long without a word. */
  readonly timeouts?: Partial<Pick<Timeouts, 'firstByte' | 'idle'>>
  /** Where to go when the upstream fails before its first byte. */
  readonly fallbacks?: readonly RouteTarget[]
}

/** What routes look at. */
export interface RoutedRequest {
  readonly request: RoutedParts
  readonly headers: HeaderValues
  readonly bytes: number
}

/** The first route that matches. */
export function pickRoute(routes: readonly Route[], routed: RoutedRequest): Route {
  const route = routes.find(({ match }) => match === undefined || matches(match, routed))
  if (route !== undefined) return route
  throw new HubError('not_found_error', `model: no route for '${routed.request.model}'`, { path: 'model' })
}

/** The targets of a route in the order in which they are tried. */
export function targetsOf(
  route: Route,
  clientModel: string,
): readonly (RouteTarget & { readonly model: string })[] {
  const model = route.model ?? mappedModel(route.models, clientModel) ?? clientModel
  const fallbacks = (route.fallbacks ?? []).map((target) => ({
    upstream: target.upstream,
    model: target.model ?? model,
  }))
  return [{ upstream: route.upstream, model }, ...fallbacks]
}

function mappedModel(models: Route['models'], clientModel: string): string | undefined {
  return Object.entries(models ?? {}).find(([pattern]) => matchesPattern(pattern, clientModel))?.[1]
}

type Condition<Wanted> = (wanted: Wanted, routed: RoutedRequest) => boolean

/** How each condition is checked. */
const CONDITIONS: { readonly [Name in keyof RouteMatch]-?: Condition<NonNullable<RouteMatch[Name]>> } = {
  models: (patterns, { request }) => patterns.some((pattern) => matchesPattern(pattern, request.model)),
  marker: (marker, { request, headers }) => isMarked(request, headers, marker),
  header: (header, { headers }) => hasHeader(headers, header),
  minBytes: (least, { bytes }) => bytes >= least,
  maxBytes: (most, { bytes }) => bytes <= most,
  hasTools: (wanted, { request }) => wanted === (request.tools ?? []).length > 0,
  hasImages: (wanted, { request }) => wanted === holdsImages(request),
}

function matches(match: RouteMatch, routed: RoutedRequest): boolean {
  return Object.entries(match).every(([name, wanted]) => {
    const condition = CONDITIONS[name as keyof RouteMatch] as Condition<unknown>
    return wanted === undefined || condition(wanted, routed)
  })
}

function isMarked(request: RoutedParts, headers: HeaderValues, marker: string): boolean {
  return headers['x-claude-code-agent-id'] === undefined && hasMarker(request, marker)
}

function hasHeader(headers: HeaderValues, { name, value }: NonNullable<RouteMatch['header']>): boolean {
  const found = headerOf(headers, name.toLowerCase())
  return found !== undefined && (value === undefined || found === value)
}

function holdsImages({ messages }: RoutedParts): boolean {
  return messages.some(({ content }) => holdsImage(content))
}

function holdsImage(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  return content.some((block: { type: string; content?: unknown }) => {
    return block.type === 'image' || (block.type === 'tool_result' && holdsImage(block.content))
  })
}

/** Whether a name fits a pattern in which `*` stands for any characters. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  if (others.length === 0) return pattern === name
  const last = others.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false
  let rest = name.slice(first.length, name.length - last.length)
  for (const part of others) {
    const at = rest.indexOf(part)
    if (at === -1) return false
    rest = rest.slice(at + part.length)
  }
  return true
}
