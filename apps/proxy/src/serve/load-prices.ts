import type { Prices } from '@hydra/core'
import type { createPrices } from '@hydra/prices'
import type { Settings } from '../settings/read-settings.ts'

interface PricesModule {
  readonly createPrices: typeof createPrices
}

/** Loads the price lists; without them the proxy works, and costs are unknown. */
export async function loadPrices(
  { prices: overrides }: Pick<Settings, 'prices'>,
  onProblem: (message: string) => void,
  load: () => Promise<PricesModule> = () => import('@hydra/prices'),
): Promise<Prices | undefined> {
  try {
    const { createPrices: create } = await load()
    return create({ overrides })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    const reason = isMissing
      ? 'is not installed, or not as a whole (npm install @hydra/prices)'
      : 'could not be loaded'
    onProblem(`costs are not known: @hydra/prices ${reason}`)
    return undefined
  }
}
