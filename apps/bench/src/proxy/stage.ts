import { type Child, startChild } from './child.ts'

/** The three processes of a measurement. */
export interface Stage {
  readonly pipe: Child
  readonly hydra: Child
  close(): Promise<void>
}

const UPSTREAM = new URL('upstream-process.ts', import.meta.url)
const PIPE = new URL('pipe-process.ts', import.meta.url)
const PROXY = new URL('../../../proxy/src/main.ts', import.meta.url)

/** Starts a scripted upstream of a pace, a raw byte pipe to it, and the proxy. */
export async function startStage(pace: 'burst' | 'flow' | 'slow', events: number): Promise<Stage> {
  const started: Child[] = []
  const start = async (script: URL, argsFor: (port: number) => readonly string[]): Promise<Child> => {
    const child = await startChild(script, argsFor)
    started.push(child)
    return child
  }
  const close = async (): Promise<void> => {
    await Promise.all(started.map((child) => child.stop()))
  }
  try {
    const upstream = await start(UPSTREAM, (port) => [String(port), pace, String(events)])
    const pipe = await start(PIPE, (port) => [String(port), String(upstream.port)])
    const target = `--target-url=http://127.0.0.1:${upstream.port}/v1`
    const hydra = await start(PROXY, (port) => [
      'serve',
      `--port=${port}`,
      '--model=gpt-bench',
      '--log=silent',
      target,
    ])
    return { pipe, hydra, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
