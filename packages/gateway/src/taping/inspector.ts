import type { Exchange } from '../exchange/exchange.ts'
import type { GuardOptions } from '../schema/guard.ts'
import type { TrafficRecorder } from './traffic.ts'

/** Below this path the inspector answers, and no dialect has an endpoint. */
export const INSPECTOR_PATH = '/_hydra/'

/** A page that shows exchanges while they happen; `@hydra/inspector` has one. */
export interface GatewayInspector {
  /** Hears the traffic of all exchanges with a model. */
  readonly traffic: TrafficRecorder
  /** Answers a request below `/_hydra/`. It checks itself who may look: a browser cannot bring a key in a header. */
  answer(exchange: Exchange, gateway: InspectedGateway): Promise<void>
  /** Ends the feeds of pages that are open. */
  close(): void
}

/** What an inspector may know of the gateway that it looks at. */
export interface InspectedGateway {
  readonly guard: GuardOptions | undefined
  /** The names of the routes, and of the models that clients are told of. */
  readonly routes: readonly string[]
  readonly models: readonly string[]
  /** Answers an exchange as if a client had sent it that may do so; by the route of a name, if one is given. */
  ask(exchange: Omit<Exchange, 'native'>, route?: string): Promise<void>
}

/** Whether a path is the inspector's. */
export function isForInspector(path: string): boolean {
  return path.startsWith(INSPECTOR_PATH) || path === INSPECTOR_PATH.slice(0, -1)
}
