import { homedir } from 'node:os'
import type { Exchange, GatewayInspector, InspectedGateway } from '@hydra/gateway'
import { defaultRedaction, type Redaction } from '@hydra/tape'
import { LiveReader } from './live/live-reader.ts'
import { TapeLibrary } from './live/tape-library.ts'
import { Endpoints } from './serve/endpoints.ts'
import { sendProblem } from './serve/respond.ts'
import { LiveStore, type StoreLimits } from './store/live-store.ts'

/** What an inspector can be told. */
export interface InspectorOptions {
  /** How much of the traffic is kept in memory. */
  readonly limits?: Partial<StoreLimits>
  /** Secrets that are never shown, beside what has the shape of one and the values of this process's environment. */
  readonly secrets?: readonly string[]
  /** Rules of your own for what is never shown, in place of those: they may learn of further secrets later. */
  readonly redaction?: Redaction | undefined
  /** A folder of tapes whose sessions are shown too. */
  readonly tapes?: string | undefined
  /** Hears each request of somebody who may look. */
  readonly onLook?: () => void
}

/** A page that shows the exchanges of a gateway while they happen: `createGateway({ …, inspector: createInspector() })`. */
export interface Inspector extends GatewayInspector {
  /** The exchanges that are kept; for those who want to know how much memory they take. */
  readonly store: LiveStore
}

/** Makes an inspector for one gateway. */
export function createInspector(options: InspectorOptions = {}): Inspector {
  const { limits, secrets = [], tapes, onLook } = options
  const store = new LiveStore(limits)
  const { redaction = defaultRedaction(process.env, homedir(), secrets) } = options
  const reader = new LiveReader(store, redaction)
  const library = tapes === undefined ? undefined : new TapeLibrary(tapes, Date.now())
  const endpoints = new Endpoints({ reader, library, onLook })
  return {
    store,
    traffic: store,
    async answer(exchange: Exchange, gateway: InspectedGateway) {
      try {
        await endpoints.answer(exchange, gateway)
      } catch (error) {
        // Nothing of it is sent: what failed may quote anything.
        console.error('hydra: the inspector failed:', error)
        sendProblem(exchange, 500, 'the inspector failed; see the log of the server')
      }
    },
    close: () => endpoints.close(),
  }
}
