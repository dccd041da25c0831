import type { CanonicalRequest, WireRequest } from './canonical-request.ts'
import { causeOf, differingFields } from './difference-of.ts'
import type { Entry, OtherLeg } from './entry.ts'
import type { FirstDifference } from './first-difference.ts'
import { shortenPair } from './shorten.ts'

/** A request that no recording answers, and why. */
export interface Miss {
  readonly method: string
  readonly path: string
  /** All of it in words. */
  readonly explanation: string
  /** The recording that comes closest. */
  readonly nearest: { readonly exchange: number; readonly call: number } | undefined
  /** The first thing in which the request is not the nearest recording. */
  readonly difference: FirstDifference | undefined
}

interface Missed {
  readonly incoming: WireRequest
  readonly request: CanonicalRequest
  readonly entries: readonly Entry[]
  readonly otherLeg?: OtherLeg | undefined
}

/** Says why a request has no recording: the nearest one, and the first thing that differs. */
export function explainMiss(missed: Missed): Miss {
  const { incoming, request, entries } = missed
  const { method, path } = incoming
  const nearest = nearestOf(request, entries)
  const difference = nearest && causeOf(nearest.canonical, request)
  const reason = nearest === undefined ? noRoute(missed) : describe(nearest, request)
  return {
    method,
    path,
    explanation: `no recording answers ${method} ${path}: ${reason}`,
    nearest: nearest && { exchange: nearest.recording.exchange, call: nearest.recording.call },
    difference,
  }
}

function noRoute({ request: { route }, entries, otherLeg }: Missed): string {
  const routes = new Set(entries.map(({ canonical }) => canonical.route))
  const answers = routes.size === 0 ? 'nothing to answer with' : `no ${route}, only ${[...routes].join(', ')}`
  if (otherLeg?.routes.has(route) !== true) return `the tape has ${answers}`
  return `the tape has ${answers}; ${route} is on its other leg: play that (leg: '${otherLeg.name}', or --as ${otherLeg.name})`
}

function describe(nearest: Entry, request: CanonicalRequest): string {
  const { exchange, call } = nearest.recording
  const name = `exchange ${exchange}${call > 1 ? ` (call ${call})` : ''}`
  const difference = causeOf(nearest.canonical, request)
  if (difference === undefined) return `${name} is the same request, but it has been used already`
  const { expected, actual } = shortenPair(difference.expected, difference.actual)
  const used = nearest.uses > 0 ? ', which has been used already,' : ''
  const where = difference.path === '' ? 'the body' : difference.path
  const fields = differingFields(nearest.canonical, request)
  const others = fields.filter((field) => !isWithin(difference.path, field))
  const also = others.length === 0 ? '' : `; also different: ${others.join(', ')}`
  return `the nearest is ${name}${used} where ${where} is ${expected} and not ${actual}${also}`
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`)
}

/** The nearest shares the most turns, then the most fields; a fresh one is nearer than a used one. */
function nearestOf(request: CanonicalRequest, entries: readonly Entry[]): Entry | undefined {
  const [best] = entries
    .filter(({ canonical }) => canonical.route === request.route)
    .map((entry) => ({
      entry,
      turns: sharedTurns(entry.canonical, request),
      differing: differingFields(entry.canonical, request).length,
    }))
    .toSorted(
      (one, other) =>
        other.turns - one.turns || one.differing - other.differing || one.entry.uses - other.entry.uses,
    )
  return best?.entry
}

function sharedTurns(recorded: CanonicalRequest, request: CanonicalRequest): number {
  const [links, others] = [linksOf(recorded), linksOf(request)]
  const parting = links.findIndex((link, index) => link !== others[index])
  return parting === -1 ? links.length : parting
}

function linksOf({ conversation }: CanonicalRequest): readonly string[] {
  return conversation?.spoken.links ?? []
}
