import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pair, STANDARD } from '../dialects/benched.ts'
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
const INSPECTED = new URL('../inspector/inspected-process.ts', import.meta.url)
const COUNTING = new URL('../team/counting-process.ts', import.meta.url)
const PROXY = new URL('../../../proxy/', import.meta.url)

/** Starts a scripted upstream of a pace, a raw byte pipe to it, and the proxy. */
export async function startStage(pace: Pace, events: number, pair: Pair = STANDARD): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'hydra-bench-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const stage = await startAll(async (start) => {
      const upstream = await start(upstreamScript(pace, events, pair))
      const pipe = await start({ file: PIPE, argsFor: (port) => [String(port), String(upstream.port)] })
      const config = join(folder, 'hydra.config.json')
      await writeFile(config, JSON.stringify(configFor(upstream, pair)))
      return { pipe, hydra: await start(proxyScript(config)) }
    })
    // The proxy looks after its configuration as long as it runs.
    return { ...stage, close: () => stage.close().then(remove) }
  } catch (thrown) {
    await remove()
    throw thrown
  }
}

/** A server that records some of what goes through it. */
export interface RecordingStage {
  readonly server: Child
  close(): Promise<void>
}

/** Starts a scripted upstream and a server that records into a folder. */
export function startRecordingStage(
  pace: Pace,
  events: number,
  folder: string,
  pair: Pair = STANDARD,
): Promise<RecordingStage> {
  return startAll(async (start) => {
    const upstream = await start(upstreamScript(pace, events, pair))
    const argsFor = (port: number): string[] => [
      String(port),
      String(upstream.port),
      folder,
      pair.upstream.name,
    ]
    return { server: await start({ file: RECORDING, argsFor, flags: startFlags() }) }
  })
}

/** Starts a scripted upstream and a server with an inspector. */
export function startInspectedStage(pace: Pace, events: number): Promise<RecordingStage> {
  return startAll(async (start) => {
    const upstream = await start(upstreamScript(pace, events, STANDARD))
    const argsFor = (port: number): string[] => [String(port), String(upstream.port)]
    return { server: await start({ file: INSPECTED, argsFor, flags: startFlags() }) }
  })
}

/** Starts a scripted upstream and a server that counts what its clients use in a store. */
export function startCountingStage(pace: Pace, events: number, store: string): Promise<RecordingStage> {
  return startAll(async (start) => {
    const upstream = await start(upstreamScript(pace, events, STANDARD))
    const argsFor = (port: number): string[] => [String(port), String(upstream.port), store]
    return { server: await start({ file: COUNTING, argsFor, flags: startFlags() }) }
  })
}

/** How the scripted upstream sends its answers. */
export type Pace = 'together' | 'burst' | 'flow' | 'pairs' | 'timed' | 'whole'
type Start = (script: Script) => Promise<Child>

function upstreamScript(pace: Pace, events: number, { upstream }: Pair): Script {
  return { file: UPSTREAM, argsFor: (port) => [String(port), pace, String(events), upstream.name] }
}

/** What the proxy is told of the upstream. */
function configFor({ port }: Child, { upstream }: Pair): object {
  const url = `http://127.0.0.1:${port}${upstream.dialect.baseVersion ?? '/v1'}`
  return {
    upstreams: { scripted: { dialect: upstream.name, url } },
    routes: [{ upstream: 'scripted', model: 'gpt-bench' }],
    // It keeps what passes through on purpose; what that costs is what the suite `inspector` measures.
    inspector: false,
  }
}

function proxyScript(config: string): Script {
  return {
    file: new URL('src/main.ts', PROXY),
    argsFor: (port) => ['serve', `--port=${port}`, '--log=silent', `--config=${config}`],
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
