import { Buffer } from 'node:buffer'
import { type ClientDialect, type HeaderValues, HubError, registry, Router } from '@hydra/core'
import { askedEndpoint } from '../match/asked-endpoint.ts'
import type { Miss } from '../match/explain-miss.ts'

/**
 * The status of a request that cannot be answered: one that no provider uses and no client tries again. From 500 up
 * the SDKs try again; after 400 and 422 Claude Code leaves out one thing after the other, and after 404 it speaks of
 * the model only. All of them would hide the cause.
 */
const REFUSED = 418

/**
 * The same for a request that came through a gateway: that makes a 400 of every status that it has no name for. It
 * passes this one on as it is, and with `x-should-retry` Claude Code stops there.
 */
const REFUSED_BEHIND_GATEWAY = 409

/** Which gateways a request came through, in the words of Hydra's. */
const HOPS_HEADER = 'x-hydra-hops'

/** What programs know such a refusal by. */
const NOT_ON_TAPE = 'not_on_tape'

/** An answer in one piece. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/** The refusal of a request that no recording answers, in its dialect. */
export function refusalOf(
  { path, explanation }: Pick<Miss, 'path' | 'explanation'>,
  headers: HeaderValues,
): Refusal {
  const isBehindGateway = headers[HOPS_HEADER] !== undefined
  const error = clientOf(path, headers).encodeError(
    new HubError('invalid_request_error', explanation, { code: NOT_ON_TAPE }),
  )
  return {
    status: isBehindGateway ? REFUSED_BEHIND_GATEWAY : REFUSED,
    headers: { ...error.headers, 'x-should-retry': 'false' },
    body: Buffer.from(error.body),
  }
}

/** Who asks: by the endpoint, else by what the dialects know their clients by. */
function clientOf(path: string, headers: HeaderValues): ClientDialect {
  const [plain = ''] = path.split('?', 1)
  return (
    askedEndpoint(plain)?.client ?? new Router(registry).find({ method: 'POST', path: plain, headers }).client
  )
}
