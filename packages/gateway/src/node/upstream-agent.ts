import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { directConnector } from './direct-connector.ts'

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What runs on this machine is never reached through a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** Opens connections to upstreams: straight, or through the HTTP proxy that the environment names. */
export function upstreamAgent(connectTimeout: number, environment: Environment): Dispatcher {
  const http1 = { allowH2: false }
  const connect = { ...http1, timeout: connectTimeout }
  const httpProxy = variable(environment, 'http_proxy')
  const httpsProxy = variable(environment, 'https_proxy')
  if (httpProxy === '' && httpsProxy === '') return new Agent({ ...http1, connect: directConnector(connect) })
  const noProxy = [variable(environment, 'no_proxy'), ...LOOPBACK].join(',')
  return new EnvHttpProxyAgent({ ...http1, connect, connectTimeout, httpProxy, httpsProxy, noProxy })
}

/** The value of a variable, which many programs know in small letters only. */
function variable(environment: Environment, name: string): string {
  return environment[name] || environment[name.toUpperCase()] || ''
}
