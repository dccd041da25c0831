import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from './compile-cache.ts'
import { start, stop, untilReady } from './processes.ts'

/** The program that records tapes and plays them. */
export const HARNESS: string = fileURLToPath(new URL('../../harness/src/main.ts', import.meta.url))

/** Which tape is played, as what, and for whom. */
export interface PlayedTape {
  readonly tape: string
  /** What answers: the upstreams, or the proxy as Claude Code saw it. */
  readonly as: 'upstream' | 'proxy'
  /** The home that the tape was recorded in: its path is not on the tape. */
  readonly home: string
}

/** What was asked of a tape. */
export interface PlayedSummary {
  readonly requests: number
  readonly misses: number
  /** Recordings that were not asked for. */
  readonly unused: number
}

/** A tape that is played by a process of its own, with nobody behind it. */
export interface TapeServer {
  readonly url: string
  /** What it has printed: a line for each request. */
  readonly output: string
  /** Asks it to end. */
  stop(): Promise<PlayedSummary>
}

/** Plays a tape with `hydra-tape serve`. */
export async function startTapeServer({ tape, as, home }: PlayedTape): Promise<TapeServer> {
  const child = start({
    file: process.execPath,
    args: [HARNESS, 'serve', tape, '--as', as, '--json'],
    folder: home,
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: home },
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const url = await untilReady(
    child,
    () => output,
    async () => /^\{"url":"([^"]+)"/m.exec(output)?.[1],
  )
  return {
    url,
    get output() {
      return output
    },
    async stop() {
      await stop(child)
      const summary = /^\{"stopped":(.*)\}$/m.exec(output)?.[1]
      if (summary === undefined) throw new Error(`the tape was not served to its end: ${output}`)
      return JSON.parse(summary) as PlayedSummary
    },
  }
}
