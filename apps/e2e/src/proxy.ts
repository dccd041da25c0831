import { fileURLToPath } from 'node:url'
import { freePort } from '@hydra/testkit'
import { COMPILE_CACHE } from './compile-cache.ts'
import { UPSTREAM_KEY } from './keys.ts'
import { start, stop, untilReady } from './processes.ts'

/** The proxy's program. */
export const HYDRA: string = fileURLToPath(new URL('../../proxy/src/main.ts', import.meta.url))

/** The model that the proxy calls. */
export const MODEL = 'gpt-test'

/** The proxy in a process of its own. */
export interface RunningProxy {
  readonly url: string
  /** Everything it has printed. */
  readonly output: string
  readonly isRunning: boolean
  /** Asks it to end, and gives its exit code. */
  stop(): Promise<number | null>
}

/** What a proxy is given beyond its upstream. */
export interface ProxyOptions {
  /** Further options of `hydra serve`; those that come twice count as they come last. */
  readonly flags?: readonly string[]
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts `hydra serve` in front of an upstream, on a free port. */
export function startProxy(
  targetUrl: string,
  folder: string,
  { flags = [], env = {} }: ProxyOptions = {},
): Promise<RunningProxy> {
  return startHydra(folder, { flags: ['--target-url', targetUrl, '--model', MODEL, ...flags], env })
}

/** Starts `hydra serve` on a free port, with nothing but what it is given. */
export async function startHydra(
  folder: string,
  { flags: further = [], env = {} }: ProxyOptions,
): Promise<RunningProxy> {
  const port = await freePort()
  const flags = ['--port', String(port), '--log', 'json']
  const child = start({
    file: process.execPath,
    args: [HYDRA, 'serve', ...flags, ...further],
    folder,
    env: { ...proxyEnvironment(folder), ...env },
  })
  let output = ''
  const listen = (text: string): void => void (output += text)
  child.stdout?.setEncoding('utf8').on('data', listen)
  child.stderr?.setEncoding('utf8').on('data', listen)
  const proxy: RunningProxy = {
    url: `http://127.0.0.1:${port}`,
    get output() {
      return output
    },
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    stop: () => stop(child),
  }
  await untilReady(
    child,
    () => output,
    async () => ((await isHealthy(proxy.url)) ? true : undefined),
  )
  return proxy
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The environment of the proxy: only its key, so that no setting of this machine can help or harm. */
export function proxyEnvironment(home: string): NodeJS.ProcessEnv {
  return { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: home, OPENAI_API_KEY: UPSTREAM_KEY }
}
