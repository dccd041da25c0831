import type { Memory } from '@hydra/core'
import type { GatewayOptions, Route, Upstream } from '@hydra/gateway'
import { callerOf, messageIdOf, profileOf, type TapedCall, type TapedExchange, uniquePart } from '@hydra/tape'

/** How long an upstream may be silent whose silence is on the tape, in milliseconds. */
const SILENCE = 1000

/** A gateway that is to do again what was done in one exchange. */
export function gatewayOptionsFor(exchange: TapedExchange, origin: string, memory: Memory): GatewayOptions {
  const { calls } = exchange
  const upstreams: Record<string, Upstream> = {}
  const targets: { readonly upstream: string; readonly model: string | undefined }[] = []
  let tries = 0
  let mostTries = 0
  for (const [index, call] of calls.entries()) {
    const before = calls[index - 1]
    tries = before !== undefined && isSameTarget(before, call) ? tries + 1 : 1
    mostTries = Math.max(mostTries, tries)
    if (tries > 1) continue
    // The same upstream may be called under two paths or profiles, so each target has one of its own.
    const name = targets.length === 0 ? nameOf(call) : `${nameOf(call)} ${targets.length + 1}`
    upstreams[name] = upstreamOf(call, origin)
    targets.push({ upstream: name, model: call.via?.model })
  }
  return {
    upstreams,
    routes: routesOf(exchange, targets),
    retries: { times: Math.max(0, mostTries - 1), pause: 1 },
    ...(exchange.moments.some(({ event }) => event[4] === 'timeout') && {
      timeouts: { idle: SILENCE, firstByte: SILENCE },
    }),
    newId: () => uniquePart(messageIdOf(exchange) ?? 'replayed', callerOf(exchange).client),
    memory,
  }
}

function isSameTarget(one: TapedCall, other: TapedCall): boolean {
  return nameOf(one) === nameOf(other) && one.via?.model === other.via?.model
}

function nameOf({ via }: TapedCall): string {
  return via?.upstream ?? '?'
}

function upstreamOf({ via, request }: TapedCall, origin: string): Upstream {
  const profile = via && profileOf(via)
  // Whatever has none was not replayed, and is not sent either.
  if (via === undefined || typeof profile !== 'object') throw new Error('a replayed call has a profile')
  const [path = ''] = request.path.split('?', 1)
  return { dialect: via.dialect, url: origin + path, profile, breaker: false }
}

function routesOf(
  { number, calls }: TapedExchange,
  [first, ...fallbacks]: readonly { readonly upstream: string; readonly model: string | undefined }[],
): Route[] {
  if (first === undefined) return []
  const via = calls.at(-1)?.via
  const name = `exchange ${number}`
  if (via?.passthrough === true) return [{ name, upstream: first.upstream, passthrough: true }]
  return [{ name, ...first, fallbacks, spoof: via?.toldModel }]
}
