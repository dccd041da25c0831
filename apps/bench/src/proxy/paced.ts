import { type Pair, pairName } from '../dialects/benched.ts'
import type { Figure } from '../suite.ts'
import type { Child } from './child.ts'
import { delaysIn } from './delays.ts'
import { exchange } from './load.ts'
import { shortRequest } from './requests.ts'
import { startStage } from './stage.ts'

const STREAMS = 1000
/** Ten events a second for about ten seconds. */
const EVENTS = 100
/** What is measured begins when all streams flow, and ends before the first of them does. */
const BEGIN = 3000
const END = 8000
const KILOBYTE = 1024

interface Paced {
  /** CPU microseconds per event. */
  readonly cpu: number
  readonly kilobytes: number
  /** The same with what V8's young generation grew by, which is no part of a stream: V8 shrinks it where little happens. */
  readonly withYoung: number
  /** Milliseconds that the slowest event but one in a hundred takes. */
  readonly slowest: number
}

/** What a thousand streams cost whose events come ten a second, by what they cost a raw byte pipe. */
export async function pacedFigures(progress: (what: string) => void, pair: Pair): Promise<Figure[]> {
  const named = pairName(pair)
  progress(`paced, ${named}`)
  const stage = await startStage('timed', EVENTS, pair)
  try {
    const pipe = await measured(stage.pipe, pair)
    const hydra = await measured(stage.hydra, pair)
    const shown = ({ cpu, kilobytes, slowest }: Paced): string =>
      `${cpu.toFixed(1)} µs per event, ${kilobytes.toFixed(0)} KB, ${slowest.toFixed(1)} ms`
    return [
      {
        name: 'paced',
        pair: named,
        value: hydra.cpu / pipe.cpu,
        unit: 'ratio',
        limit: 1.15,
        detail: `${shown(hydra)}; the pipe: ${shown(pipe)}`,
      },
      {
        name: 'memory per stream',
        pair: named,
        value: hydra.kilobytes,
        unit: 'KB',
        limit: 45,
        detail: `${hydra.withYoung.toFixed(0)} with the young generation; the pipe: ${pipe.kilobytes.toFixed(0)}, ${pipe.withYoung.toFixed(0)}`,
      },
      {
        name: 'added p99',
        pair: named,
        value: hydra.slowest - pipe.slowest,
        unit: 'ms',
        limit: 3,
        detail: '',
      },
    ]
  } finally {
    await stage.close()
  }
}

async function measured(child: Child, { client }: Pair): Promise<Paced> {
  const sent = shortRequest(client)
  // What the first streams cost, code and buffers, is no part of what one more costs.
  await Promise.all(Array.from({ length: 100 }, () => exchange(child.port, sent)))
  const idle = await child.account('account-collected')
  const delays: number[] = []
  let isCounting = false
  const onPiece = (piece: Buffer): void => {
    if (isCounting) delays.push(...delaysIn(piece.toString('latin1')))
  }
  const streams = Promise.all(
    Array.from({ length: STREAMS }, () => exchange(child.port, { ...sent, onPiece })),
  )
  await sleep(BEGIN)
  const before = await child.account()
  isCounting = true
  await sleep(END - BEGIN)
  isCounting = false
  const after = await child.account()
  const open = await child.account('account-collected')
  await streams
  const sorted = delays.toSorted((one, other) => one - other)
  return {
    cpu: (after.cpu - before.cpu) / delays.length,
    kilobytes: (open.rss - open.young - (idle.rss - idle.young)) / STREAMS / KILOBYTE,
    withYoung: (open.rss - idle.rss) / STREAMS / KILOBYTE,
    slowest: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
