import { generatedRequest } from '../core/requests.ts'
import type { Figure } from '../suite.ts'
import type { Child } from './child.ts'
import { exchange, load } from './load.ts'
import { startStage } from './stage.ts'

const STREAMS = 1000
/** Ten events a second for about twelve seconds. */
const EVENTS = 120
const REQUESTS = 20_000
const KILOBYTE = 1024

/** What many streams and many requests hold in memory. */
export async function memoryFigures(progress: (what: string) => void): Promise<Figure[]> {
  progress(`${STREAMS} concurrent streams at 10 events a second`)
  const perStream = await streamFigures()
  progress(`${REQUESTS} requests in a row`)
  return [...perStream, await enduranceFigure()]
}

async function streamFigures(): Promise<Figure[]> {
  const stage = await startStage('slow', EVENTS)
  try {
    const pipe = await bytesPerStream(stage.pipe)
    const hydra = await bytesPerStream(stage.hydra)
    const detail = `the pipe needs ${(pipe.bytes / KILOBYTE).toFixed(0)} KB`
    return [
      { name: 'memory per stream', value: hydra.bytes / KILOBYTE, unit: 'KB', limit: 60, detail },
      { name: 'streams that failed', value: hydra.failed, unit: 'ratio', limit: 0, detail: `of ${STREAMS}` },
    ]
  } finally {
    await stage.close()
  }
}

async function bytesPerStream(child: Child): Promise<{ bytes: number; failed: number }> {
  const body = Buffer.from(generatedRequest({ tools: 0, system: 0, messages: 1, message: 800 }))
  // What the first streams cost, code and buffers, is no part of what one more costs.
  await Promise.all(Array.from({ length: 50 }, () => exchange(child.port, body)))
  const before = await child.account('account-collected')
  const streams = Array.from({ length: STREAMS }, () => exchange(child.port, body))
  const settled = Promise.allSettled(streams)
  await new Promise((resolve) => setTimeout(resolve, 6000))
  const during = await child.account('account-collected')
  const failed = (await settled).filter(({ status }) => status === 'rejected').length
  return { bytes: (during.rss - before.rss) / STREAMS, failed }
}

async function enduranceFigure(): Promise<Figure> {
  const stage = await startStage('burst', 10)
  try {
    const body = Buffer.from(generatedRequest({ tools: 0, system: 0, messages: 1, message: 800 }))
    const some = { total: REQUESTS / 10, connections: 16 }
    await load(stage.hydra.port, body, some)
    const early = await stage.hydra.account('account-collected')
    await load(stage.hydra.port, body, { ...some, total: REQUESTS - some.total })
    const late = await stage.hydra.account('account-collected')
    const grown = (late.heap - early.heap) / KILOBYTE
    const name = `heap after ${REQUESTS.toLocaleString('en')} requests, over that after ${some.total.toLocaleString('en')}`
    return {
      name,
      value: grown,
      unit: 'KB',
      limit: 1024,
      detail: 'after a collection; the limit is for noise',
    }
  } finally {
    await stage.close()
  }
}
