import { visibleJson, visibleLine } from '@hydra/cli'
import { type PlayedRequest, shortenPair } from '@hydra/tape'

/** A request to a tape on one line: which exchange answers it and what was different, or why none does. */
export function describePlayed(request: PlayedRequest): string {
  return visibleLine(described(request))
}

function described(request: PlayedRequest): string {
  if (request.miss !== undefined) return request.miss.explanation
  const { method, path, exchange, call, by, difference } = request
  const answered = `${method} ${path}: exchange ${exchange}${call > 1 ? ` (call ${call})` : ''}`
  if (by === 'request') return answered
  const how = by === 'conversation' ? 'by its place in the conversation' : 'only because it is next'
  if (difference === undefined) return `${answered}, ${how}`
  const { expected, actual } = shortenPair(difference.expected, difference.actual)
  return `${answered}, ${how}: ${difference.path || 'the body'} is ${actual}, recorded was ${expected}`
}

/** The same for programs. */
export function describePlayedAsJson(request: PlayedRequest): string {
  const { method, path, miss } = request
  if (miss === undefined) return oneLine({ ...request, difference: shown(request.difference) })
  const { explanation, nearest, difference } = miss
  return oneLine({ method, path, miss: { explanation, nearest, difference: shown(difference) } })
}

function oneLine(value: object): string {
  return visibleJson(value, 0)
}

function shown(difference: PlayedDifference): object | undefined {
  return difference && { path: difference.path, ...shortenPair(difference.expected, difference.actual) }
}

type PlayedDifference = Extract<PlayedRequest, { readonly by: unknown }>['difference']
