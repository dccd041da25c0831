import { STANDARD } from '../dialects/benched.ts'
import type { Figure } from '../suite.ts'
import { load } from './load.ts'
import { shortRequest } from './requests.ts'
import { startStage } from './stage.ts'

const REQUESTS = 20_000
const KILOBYTE = 1024

/** What many requests leave behind in memory; what a stream holds is among the figures of the paced streams. */
export async function memoryFigure(progress: (what: string) => void): Promise<Figure> {
  progress(`${REQUESTS} requests in a row`)
  const stage = await startStage('burst', 10)
  try {
    const sent = shortRequest(STANDARD.client)
    const some = { total: REQUESTS / 10, connections: 16 }
    await load(stage.hydra.port, sent, some)
    const early = await stage.hydra.account('account-collected')
    await load(stage.hydra.port, sent, { ...some, total: REQUESTS - some.total })
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
