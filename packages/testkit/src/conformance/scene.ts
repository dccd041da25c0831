import { openaiChat, profiles } from '@hydra/core'
import { type ExchangeReport, type GatewayOptions, Secret } from '@hydra/gateway'
import { onTestFinished } from 'vitest'
import { type Script, type ScriptedUpstream, startUpstream } from '../upstream/start-upstream.ts'
import type { Bind, BoundServer } from './bind.ts'

/** The key of the upstream, which no client may ever see. */
export const UPSTREAM_KEY = 'sk-canary-of-the-upstream'

/** A scripted upstream, a server of the framework before it, and what was reported. */
export interface Scene {
  readonly upstream: ScriptedUpstream
  readonly server: BoundServer
  /** The server's address. */
  readonly origin: string
  /** The address of the adapter's mount point. */
  readonly url: string
  /** The reports of all exchanges that are over. */
  readonly reports: readonly ExchangeReport[]
  /** The framework's requests that came with the reports. */
  readonly natives: readonly unknown[]
}

/** What differs from the usual scene. */
export interface SceneOptions {
  readonly prefix?: string
  /** The path that a client calls, where it is not the prefix itself. */
  readonly path?: string
  readonly parsesBody?: boolean
  readonly gateway?: Partial<GatewayOptions>
}

/** Starts everything a test needs; it ends with the test. */
export async function stage(bind: Bind, script: Script, options: SceneOptions = {}): Promise<Scene> {
  const { prefix = '/llm', path = prefix, parsesBody = false, gateway } = options
  const upstream = await startUpstream(script)
  onTestFinished(() => upstream.close())
  const reports: ExchangeReport[] = []
  const natives: unknown[] = []
  const server = await bind({
    prefix,
    parsesBody,
    options: {
      upstreams: {
        scripted: {
          dialect: openaiChat.name,
          url: upstream.url,
          key: new Secret(UPSTREAM_KEY),
          profile: profiles.generic,
        },
      },
      routes: [{ name: 'all', upstream: 'scripted', model: 'scripted-model' }],
      models: ['claude-test', 'claude-other'],
      retries: { times: 0 },
      onExchange(report, native) {
        reports.push(report)
        natives.push(native)
      },
      ...gateway,
    },
  })
  // A connection that closes must have been closed: not by a server that is tired of waiting.
  server.server.keepAliveTimeout = 0
  onTestFinished(() => server.close())
  return { upstream, server, origin: server.origin, url: server.origin + path, reports, natives }
}
