import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort, within } from '@hydra/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { UPSTREAM_KEY } from './keys.ts'
import { kill, start } from './processes.ts'

/** The proxy's program. */
export const HYDRA: string = fileURLToPath(new URL('../../proxy/src/main.ts', import.meta.url))

/** The model that the proxy calls. */
export const MODEL = 'gpt-test'

const START_MILLISECONDS = 20_000
const POLL_MILLISECONDS = 50

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
export async function startProxy(
  targetUrl: string,
  folder: string,
  { flags: further = [], env = {} }: ProxyOptions = {},
): Promise<RunningProxy> {
  const port = await freePort()
  const flags = ['--port', String(port), '--target-url', targetUrl, '--model', MODEL, '--log', 'json']
  const child = start({
    file: process.execPath,
    args: [HYDRA, 'serve', ...flags, ...further],
    folder,
    env: { ...proxyEnvironment(folder), ...env },
  })
  const exited = once(child, 'exit')
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
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await within(exited, 'the proxy to end').finally(() => kill(child))) as [number | null]
      return code
    },
  }
  await untilHealthy(proxy)
  return proxy
}

async function untilHealthy(proxy: RunningProxy): Promise<void> {
  const deadline = performance.now() + START_MILLISECONDS
  // oxlint-disable-next-line no-await-in-loop -- polling
  while (!(await isHealthy(proxy.url))) {
    if (!proxy.isRunning) throw new Error(`the proxy has ended at once:\n${proxy.output}`)
    if (performance.now() > deadline) throw new Error(`the proxy does not listen:\n${proxy.output}`)
    // oxlint-disable-next-line no-await-in-loop
    await sleep(POLL_MILLISECONDS)
  }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The environment of the proxy: only its key, so that no setting of this machine can help or harm. */
export function proxyEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, OPENAI_API_KEY: UPSTREAM_KEY }
}
