export { createPrices, type PricesOptions } from './create-prices.ts'
export type { ModelPrices } from './configured-cost.ts'
