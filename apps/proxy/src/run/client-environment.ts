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

/** The key that a client brings; where none is asked for, clients want one all the same. */
export function clientKey({ key }: ProxyForClient): string {
  return key?.reveal() ?? 'hydra'
}

/** The variables that send any program on the SDKs of Anthropic, OpenAI or Google to the proxy. */
export function sdkEnvironment(env: Environment, proxy: ProxyForClient): Environment {
  const key = clientKey(proxy)
  const openai = `${proxy.url}/v1`
  return {
    ...anthropicEnvironment(env, proxy),
    OPENAI_BASE_URL: openai,
    // What older libraries read.
    OPENAI_API_BASE: openai,
    OPENAI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: proxy.url,
    GEMINI_API_KEY: key,
    // Google's SDK prefers it to the other.
    GOOGLE_API_KEY: key,
    GOOGLE_GENAI_USE_VERTEXAI: undefined,
  }
}

/** The variables that send Claude Code to the proxy; where requests pass through, its own credentials stay. */
export function anthropicEnvironment(env: Environment, proxy: ProxyForClient): Environment {
  const { url, key, passes } = proxy
  if (!passes) {
    // Two credentials would both be sent, and an interactive client would ask which one is meant.
    return {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: clientKey(proxy),
      ANTHROPIC_API_KEY: undefined,
    }
  }
  if (key === undefined) return { ANTHROPIC_BASE_URL: url }
  const headers = [env['ANTHROPIC_CUSTOM_HEADERS'], `x-hydra-key: ${key.reveal()}`].filter(Boolean)
  return { ANTHROPIC_BASE_URL: url, ANTHROPIC_CUSTOM_HEADERS: headers.join('\n') }
}

/** Where requests go through a proxy of the network, those to this machine must not. */
export function withoutDetour(env: Environment): Environment {
  const others = env['NO_PROXY'] || env['no_proxy']
  const list = others ? `${others},${LOOPBACK}` : LOOPBACK
  return { NO_PROXY: list, no_proxy: list }
}
