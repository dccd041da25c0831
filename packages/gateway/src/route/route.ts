import {
  headerOf,
  type HeaderValues,
  HubError,
  isSubagent,
  matchesPattern,
  type RoutedParts,
} from '@hydra/core'
import type * as v from 'valibot'
import type { match as matchSchema, route as routeSchema, target as targetSchema } from '../schema/route.ts'
import { hasMarker } from './marker.ts'

/** What a request must be like for a route; every condition that is given must hold. */
export type RouteMatch = Readonly<v.InferInput<typeof matchSchema>>

/** Where a call goes: which upstream, and under which model name. */
export type RouteTarget = Readonly<v.InferInput<typeof targetSchema>>

/** One rule of where requests go. */
export interface Route extends Readonly<Omit<v.InferInput<typeof routeSchema>, 'name'>> {
  /** What log lines call it. */
  readonly name: string
}

/** What routes look at. */
export interface RoutedRequest {
  readonly request: RoutedParts
  readonly headers: HeaderValues
  readonly bytes: number
}

/** The first route that matches; `skipped` are those that this client cannot take, for the message. */
export function pickRoute(
  routes: readonly Route[],
  routed: RoutedRequest,
  skipped: readonly Route[] = [],
): Route {
  const route = findRoute(routes, routed)
  if (route !== undefined) return route
  const other = findRoute(skipped, routed)
  const why =
    other === undefined ? '' : `: route ${other.name} passes unchanged what clients of its dialect send`
  throw new HubError('not_found_error', `model: no route for '${routed.request.model}'${why}`, {
    path: 'model',
  })
}

function findRoute(routes: readonly Route[], routed: RoutedRequest): Route | undefined {
  return routes.find(({ match }) => match === undefined || matches(match, routed))
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
  return !isSubagent(headers) && hasMarker(request, marker)
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
