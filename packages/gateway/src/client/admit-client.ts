import { HubError, matchesPattern } from '@hydra/core'
import type { ActiveExchange } from '../exchange/active-exchange.ts'
import { targetsOf } from '../route/route.ts'
import type { ClientIdentity } from './client-identity.ts'
import { promptTokens } from './prompt-tokens.ts'

/** Refuses what a client may not do, and has its use counted. */
export async function admitClient<Native>(
  { context, reporter, prepared, watch }: ActiveExchange<Native>,
  client: ClientIdentity,
): Promise<void> {
  const { route, request, body, answers } = prepared
  expectAllowed('model', request.model, client.models)
  expectAllowed('route', route.name, client.routes)
  const { limiter } = context.options
  if (limiter === undefined) return
  const input = promptTokens(request, body.byteLength)
  const [target, ...fallbacks] = targetsOf(route, request.model)
  const demand = {
    model: request.model,
    upstreamModel: target?.model ?? request.model,
    upstream: route.upstream,
    fallbacks: fallbacks.map(({ model, upstream }) => ({ upstreamModel: model, upstream })),
    input,
    maxOutput: request.max_tokens,
    answers,
  }
  const admitting = limiter.admit(client, demand)
  // It has to be settled also if the client leaves before the answer is there.
  void admitting.then((admission) => reporter.admitted(admission, input)).catch(() => {})
  const { refusal } = await watch.bound(admitting)
  if (refusal !== undefined) throw refusal
}

function expectAllowed(what: string, name: string, allowed: readonly string[] | undefined): void {
  if (allowed === undefined || allowed.some((pattern) => matchesPattern(pattern, name))) return
  throw new HubError('permission_error', `this key is not allowed to use the ${what} '${name}'`)
}
