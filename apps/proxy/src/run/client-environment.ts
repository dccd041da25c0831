import type { Environment } from '@hydra/cli'
import type { Secret } from '@hydra/gateway'

/** The proxy that a client is sent to. */
export interface ProxyForClient {
  readonly url: string
  /** The key it asks for. */
  readonly key: Secret | undefined
  /** Whether it passes requests on, with the client's own credentials. */
  readonly passes: boolean
}

const LOOPBACK = '127.0.0.1,localhost,[::1]'

/** The environment that sends Claude Code to the proxy; where requests pass through, its own credentials stay. */
export function clientEnvironment(env: Environment, { url, key, passes }: ProxyForClient): Environment {
  const common = { ...env, ANTHROPIC_BASE_URL: url, ...withoutDetour(env) }
  if (!passes) {
    // Two credentials would both be sent, and an interactive client would ask which one is meant.
    return { ...common, ANTHROPIC_AUTH_TOKEN: key?.reveal() ?? 'hydra', ANTHROPIC_API_KEY: undefined }
  }
  if (key === undefined) return common
  const headers = [env['ANTHROPIC_CUSTOM_HEADERS'], `x-hydra-key: ${key.reveal()}`].filter(Boolean)
  return { ...common, ANTHROPIC_CUSTOM_HEADERS: headers.join('\n') }
}

/** Where requests go through a proxy of the network, those to this machine must not. */
function withoutDetour(env: Environment): Environment {
  const others = env['NO_PROXY'] || env['no_proxy']
  const list = others ? `${others},${LOOPBACK}` : LOOPBACK
  return { NO_PROXY: list, no_proxy: list }
}
