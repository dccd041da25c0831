import type { Prices } from '@hydra/core'

/** Loads the price lists, as they were at a time; or says why there are none. */
export async function loadPricesAt(time: Date): Promise<Prices | string> {
  try {
    const { createPrices } = await import('@hydra/prices')
    return createPrices({ now: () => time })
  } catch {
    return '@hydra/prices is not installed (npm install @hydra/prices)'
  }
}
