import { HubError } from '@hydra/core'
import type { Exchange } from '../exchange/exchange.ts'
import type { GatewayOptions } from '../options.ts'
import { shownPath } from '../schema/fault.ts'
import { faultsOfIdentity } from '../schema/identity.ts'
import { type ClientIdentity, isIdentity } from './client-identity.ts'

/** Why a request is refused, or who sent it; nothing lets in somebody without a name. */
export type Verdict = HubError | ClientIdentity | undefined

/** What the server itself says about a request. Its own troubles are not for the client, who may be anybody. */
export async function askServer<Native>(
  { method, path, query, headers, native }: Exchange<Native>,
  { authorize }: GatewayOptions<Native>,
): Promise<Verdict> {
  if (authorize === undefined) return undefined
  try {
    return verdictOf(await authorize({ method, path, query, headers, native }))
  } catch (thrown) {
    if (thrown instanceof HubError) return thrown
    console.error('hydra: the authorize hook failed:', thrown)
    return new HubError('api_error', 'this server could not check who calls')
  }
}

/** Nothing is no answer: a lookup that finds nobody gives it. */
function verdictOf(answer: unknown): Verdict {
  if (answer === true) return undefined
  if (answer === false) return new HubError('authentication_error', 'this server does not know who calls')
  if (answer instanceof HubError) return answer
  if (isIdentity(answer)) return checked(answer)
  if (answer instanceof Error) throw answer
  throw new TypeError(
    `expected true, false, a HubError or an identity with an id, got ${kindOf(answer)}; nobody was let in`,
  )
}

/** Identities are checked once where they are the same objects each time. */
const withoutFault = new WeakSet<ClientIdentity>()

function checked(identity: ClientIdentity): ClientIdentity {
  if (withoutFault.has(identity)) return identity
  const faults = faultsOfIdentity(identity)
  if (faults.length > 0) {
    const words = faults.map(({ path, message }) => `${shownPath(path, 'the identity')}: ${message}`)
    throw new TypeError(`the identity has faults; nobody was let in\n${words.join('\n')}`)
  }
  withoutFault.add(identity)
  return identity
}

function kindOf(answer: unknown): string {
  if (answer === undefined) return 'nothing'
  if (answer === null) return 'null'
  return typeof answer === 'object' ? 'an object without an id' : `a ${typeof answer}`
}
