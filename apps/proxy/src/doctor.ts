import { styleText } from 'node:util'
import { parseOptions } from './cli/options.ts'
import { UsageError } from './cli/usage-error.ts'
import { startServer } from './serve/server.ts'
import { readSettings } from './settings/read-settings.ts'
import type { Settings } from './settings/settings.ts'

/** The result of one look: what was found, and what to do about it. */
interface Finding {
  readonly isGood: boolean
  readonly text: string
}

const PROBE = {
  model: 'claude-doctor',
  max_tokens: 64,
  stream: true,
  messages: [{ role: 'user', content: 'Answer with the one word: ready' }],
}

/** `hydra doctor`: checks port, key, reachability, streaming and the time to the first token. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { options } = parseOptions(args)
  let settings: Settings
  try {
    settings = await readSettings({ log: 'silent', ...options }, process.env)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return report([{ isGood: false, text: error.message }])
  }
  return report([await checkPort(settings), ...checkTarget(settings), ...(await checkAnswer(settings))])
}

function report(findings: readonly Finding[]): number {
  for (const { isGood, text } of findings) {
    process.stdout.write(`${isGood ? styleText('green', 'ok  ') : styleText('red', 'FAIL')} ${text}\n`)
  }
  return findings.every(({ isGood }) => isGood) ? 0 : 1
}

async function checkPort({ port, host }: Settings): Promise<Finding> {
  try {
    const response = await fetch(`http://${host}:${port}/health`)
    const { name } = (await response.json()) as { name?: unknown }
    if (name === 'hydra') return { isGood: true, text: `port ${port}: a hydra is running there already` }
  } catch (error) {
    if (isRefused(error)) return { isGood: true, text: `port ${port}: free` }
  }
  return { isGood: false, text: `port ${port}: taken by something else; choose another with --port` }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  return cause?.code === 'ECONNREFUSED'
}

function checkTarget({ isDemo, gateway }: Settings): Finding[] {
  if (isDemo) return [{ isGood: true, text: 'no key and no target: the built-in demo model will answer' }]
  return Object.entries(gateway.upstreams).map(([name, { key, url }]) => ({
    isGood: true,
    text: `upstream ${name}: ${url}, ${key === undefined ? 'no key' : 'a key is set'}`,
  }))
}

/** Sends one small request all the way, as a client would. */
async function checkAnswer(settings: Settings): Promise<Finding[]> {
  const routes = settings.gateway.routes.filter((route) => !route.passthrough)
  const server = await startServer({
    ...settings,
    host: '127.0.0.1',
    port: 0,
    gateway: { ...settings.gateway, routes },
  })
  try {
    return await probe(server.url, settings)
  } finally {
    await server.drain(0)
  }
}

async function probe(url: string, { gateway }: Settings): Promise<Finding[]> {
  const begun = performance.now()
  const key = gateway.guard?.key?.reveal() ?? 'any'
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(PROBE),
  })
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    return [
      {
        isGood: false,
        text: `the upstream says ${response.status} ${error.type}: ${error.message}. ${adviceFor(response.status)}`,
      },
    ]
  }
  const first = performance.now() - begun
  const text = await response.text()
  const isWhole = text.includes('event: message_stop')
  return [
    { isGood: true, text: `reachable; the first token came after ${(first / 1000).toFixed(2)} s` },
    {
      isGood: isWhole,
      text: isWhole
        ? 'it streams, and the answer came to its end'
        : 'the answer broke off: see docs/troubleshooting.md',
    },
  ]
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return 'Check the key.'
  if (status === 404) return 'Check --model and --target-url.'
  if (status === 402) return 'Check your account with the provider.'
  if (status === 429) return 'The provider limits the rate: wait, or use another model.'
  return 'Is the server running, and is --target-url right?'
}
