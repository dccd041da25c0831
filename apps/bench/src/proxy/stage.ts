import { type Child, startChild } from './child.ts'

/** The three processes of a measurement. */
export interface Stage {
  readonly pipe: Child
  readonly hydra: Child
  close(): Promise<void>
}

const PROXY = new URL('../../../proxy/src/main.ts', import.meta.url)

/** Starts a scripted upstream of a pace, a raw byte pipe to it, and the proxy. */
export async function startStage(pace: 'burst' | 'flow' | 'slow', events: number): Promise<Stage> {
  const upstream = await startChild(new URL('upstream-process.ts', import.meta.url), (port) => [
    String(port),
    pace,
    String(events),
  ])
  const pipe = await startChild(new URL('pipe-process.ts', import.meta.url), (port) => [
    String(port),
    String(upstream.port),
  ])
  const hydra = await startChild(PROXY, (port) => [
    'serve',
    `--port=${port}`,
    '--model=gpt-bench',
    '--log=silent',
    `--target-url=http://127.0.0.1:${upstream.port}/v1`,
  ])
  const all = [upstream, pipe, hydra]
  return {
    pipe,
    hydra,
    close: async () => {
      await Promise.all(all.map((child) => child.stop()))
    },
  }
}
