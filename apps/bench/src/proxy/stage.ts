import { readFileSync } from 'node:fs'
import { type Child, type Script, startChild } from './child.ts'

/** The three processes of a measurement. */
export interface Stage {
  readonly pipe: Child
  readonly hydra: Child
  close(): Promise<void>
}

const UPSTREAM = new URL('upstream-process.ts', import.meta.url)
const PIPE = new URL('pipe-process.ts', import.meta.url)
const RECORDING = new URL('../tape/recording-process.ts', import.meta.url)
const PROXY = new URL('../../../proxy/', import.meta.url)

/** Starts a scripted upstream of a pace, a raw byte pipe to it, and the proxy. */
export function startStage(pace: Pace, events: number): Promise<Stage> {
  return startAll(async (start) => {
    const upstream = await start(upstreamScript(pace, events))
    const pipe = await start({ file: PIPE, argsFor: (port) => [String(port), String(upstream.port)] })
    return { pipe, hydra: await start(proxyScript(upstream)) }
  })
}

/** A server that records some of what goes through it. */
export interface RecordingStage {
  readonly server: Child
  close(): Promise<void>
}

/** Starts a scripted upstream and a server that records into a folder. */
export function startRecordingStage(pace: Pace, events: number, folder: string): Promise<RecordingStage> {
  return startAll(async (start) => {
    const upstream = await start(upstreamScript(pace, events))
    const argsFor = (port: number): string[] => [String(port), String(upstream.port), folder]
    return { server: await start({ file: RECORDING, argsFor, flags: startFlags() }) }
  })
}

type Pace = 'burst' | 'flow' | 'slow'
type Start = (script: Script) => Promise<Child>

function upstreamScript(pace: Pace, events: number): Script {
  return { file: UPSTREAM, argsFor: (port) => [String(port), pace, String(events)] }
}

function proxyScript(upstream: Child): Script {
  const target = `--target-url=http://127.0.0.1:${upstream.port}/v1`
  return {
    file: new URL('src/main.ts', PROXY),
    argsFor: (port) => ['serve', `--port=${port}`, '--model=gpt-bench', '--log=silent', target],
    flags: startFlags(),
  }
}

/** What Node is given when somebody starts the proxy: what is measured is what people run. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', PROXY), 'utf8')) as {
    readonly scripts: { readonly start: string }
  }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** Starts processes; those that run are stopped when one of them cannot be started. */
async function startAll<Processes extends object>(
  begin: (start: Start) => Promise<Processes>,
): Promise<Processes & { close(): Promise<void> }> {
  const started: Child[] = []
  const start: Start = async (script) => {
    const child = await startChild(script)
    started.push(child)
    return child
  }
  const close = async (): Promise<void> => {
    await Promise.all(started.map((child) => child.stop()))
  }
  try {
    return { ...(await begin(start)), close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
