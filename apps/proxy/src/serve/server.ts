import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { openaiChat, type Prices, profiles } from '@hydra/core'
import {
  bothRecorders,
  BoundedMemory,
  createGateway,
  DEFAULT_MEMORY,
  type ExchangeReport,
  type Gateway,
  type GatewayInspector,
  type GatewayObserver,
  type GatewayOptions,
  type TrafficRecorder,
} from '@hydra/gateway'
import { createMetrics } from '@hydra/gateway/metrics'
import { processFigures, undiciTransport } from '@hydra/gateway/node'
import { createInspector } from '@hydra/inspector'
import type { Redaction } from '@hydra/tape'
import type { Team } from '@hydra/team'
import { type DemoUpstream, startDemoUpstream } from '../demo/demo-upstream.ts'
import { urlOf } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { VERSION } from '../version.ts'
import { DrainingServer } from './draining-server.ts'
import { gatheredMetrics } from './gathered-metrics.ts'
import { listen } from './listen.ts'
import { loadPrices } from './load-prices.ts'
import { refuseOpenDoor } from './open-door.ts'
import { SessionBook } from './session-book.ts'
import { startTelemetry } from './start-telemetry.ts'
import { redactionFor, secretsOf, startRecording } from './recording.ts'
import { restartNeeds } from './restart-needs.ts'
import { workerInspector } from './shared-inspector.ts'
import { teamFigures } from './team-figures.ts'
import { startTeam, teamChange, withSharedKey, withTeam } from './team.ts'

/** A proxy that listens. */
export interface RunningServer {
  readonly url: string
  readonly port: number
  /** Stops listening, lets answers finish for at most `limit` milliseconds and then ends them with an error. */
  drain(limit: number): Promise<void>
  /** Serves by other settings from now on; answers that are under way end by the old ones. */
  reload(settings: Settings): Promise<void>
}

/** The listeners for what happens. */
export interface ServerLog {
  exchange(this: void, report: ExchangeReport): void
  problem(this: void, message: string): void
  readonly observer?: GatewayObserver | undefined
}

/** Starts the proxy. Its traffic is told to a recorder that is given, besides the tapes that the settings may ask for. */
export async function startServer(
  settings: Settings,
  log: ServerLog,
  traffic?: TrafficRecorder,
): Promise<RunningServer> {
  refuseOpenDoor(settings)
  const redaction = redactionFor(settings)
  const recorder = startRecording(settings, redaction, log.problem)
  const inspector = inspectorFor(settings, redaction)
  const known = await loadPrices(settings, log.problem)
  const team = await startTeam(settings, known, log.problem)
  const demo = settings.isDemo ? await startDemoUpstream() : undefined
  const telemetry = await startTelemetry(process.env, log.problem)
  const observed = observing([log.observer, telemetry?.observer], settings, team)
  // What clients refer back to outlives the settings.
  const memory = new BoundedMemory(DEFAULT_MEMORY, Date.now)
  const gatewayFor = ({ gateway, connectTimeout, traces }: Settings, prices: Prices | undefined): Gateway =>
    createGateway({
      memory,
      ...withTeam(withDemo(gateway, demo), team),
      transport: undiciTransport(connectTimeout === undefined ? {} : { connectTimeout }),
      traces,
      onExchange: log.exchange,
      ...observed,
      ...(prices === undefined ? {} : { prices }),
      ...trafficTo(recorder, traffic),
      ...(inspector && { inspector: withSharedKey(inspector, gateway.guard?.key) }),
    })
  const draining = new DrainingServer(gatewayFor(settings, known), team)
  await listen(draining.server, settings)
  const { port } = draining.server.address() as AddressInfo
  return {
    url: urlOf(settings.host, port),
    port,
    async drain(limit) {
      // An open page must not keep the proxy from stopping.
      inspector?.close()
      await draining.drain(limit)
      demo?.close()
      recorder?.close()
      await telemetry?.close()
      await team?.close()
    },
    async reload(changed) {
      const prices = await loadPrices(changed, log.problem)
      redaction.learn(secretsOf(changed.gateway))
      team?.configure(teamChange(changed, prices))
      draining.use(gatewayFor(changed, prices))
      for (const need of restartNeeds(settings, changed)) log.problem(need)
    },
  }
}

function trafficTo(...recorders: readonly (TrafficRecorder | undefined)[]): Pick<GatewayOptions, 'traffic'> {
  const wanted = recorders.filter((recorder) => recorder !== undefined)
  return wanted.length === 0 ? {} : { traffic: wanted.reduce(bothRecorders) }
}

function inspectorFor(settings: Settings, redaction: Redaction): GatewayInspector | undefined {
  const { inspector, recording } = settings
  if (!inspector) return undefined
  if (cluster.isWorker) return workerInspector(settings)
  return createInspector({ redaction, tapes: recording?.folder })
}

/** Who follows exchanges: the log, a memory of sessions for status lines and, if they are wanted, traces and figures. */
function observing(
  wanted: readonly (GatewayObserver | undefined)[],
  settings: Settings,
  team: Team | undefined,
): Pick<GatewayOptions, 'observers' | 'metrics' | 'sessions'> {
  const observers = wanted.filter((observer) => observer !== undefined)
  const book = new SessionBook()
  const sessions = (id: string): Promise<unknown> => book.summary(id)
  if (!settings.metrics) return { observers: [...observers, book], sessions }
  const ofProcess = processFigures(VERSION)
  const metrics = createMetrics({
    figures: () => [...ofProcess(), ...(team === undefined ? [] : teamFigures(team))],
  })
  const text = cluster.isWorker ? gatheredMetrics(metrics) : () => metrics.text()
  return { observers: [...observers, book, metrics], sessions, metrics: text }
}

function withDemo(options: GatewayOptions, demo: DemoUpstream | undefined): GatewayOptions {
  if (demo === undefined) return options
  const upstream = { dialect: openaiChat.name, url: demo.url, profile: profiles.openai } as const
  return { ...options, upstreams: { ...options.upstreams, demo: upstream } }
}
