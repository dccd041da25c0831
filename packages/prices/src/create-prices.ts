import { type Cost, matchesPattern, Memo, type PricedCall, type Prices } from '@hydra/core'
import type { Provider } from '@pydantic/genai-prices'
import { configuredCost, type ModelPrices } from './configured-cost.ts'
import { type CountedTokens, countedTokens, uncached } from './counted-tokens.ts'
import { listedCost, providerAt } from './listed-cost.ts'

/** What prices are taken from, besides the lists of the providers. */
export interface PricesOptions {
  /** Prices of your own, by the name of the upstream and then by model, in which `*` matches anything; the first that matches counts. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, ModelPrices>> | undefined>>
  /** What time it is: lists change, and some have hours. */
  readonly now?: () => Date
}

/** How many models are remembered with their provider: clients may ask for models of any name. */
const MAX_KNOWN = 200

/** Classes of service that the lists are for. */
const STANDARD: ReadonlySet<string> = new Set(['auto', 'default', 'on_demand', 'standard', 'standard_only'])

/** Knows the list prices of `@pydantic/genai-prices`, as they were when that was published. */
export function createPrices({ overrides = {}, now = () => new Date() }: PricesOptions = {}): Prices {
  const known = new Memo<string, { readonly provider: Provider | undefined }>(MAX_KNOWN)
  const providerOf = ({ url, model }: PricedCall): Provider | undefined => {
    const key = `${url} ${model}`
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { provider: providerAt(url, model) }))
    return found.provider
  }

  function priceOf(call: PricedCall): PriceOf | string {
    const { upstream, model } = call
    const own = Object.entries(overrides[upstream] ?? {}).find(([pattern]) => matchesPattern(pattern, model))
    if (own !== undefined) return (tokens) => configuredCost(tokens, own[1])
    const provider = providerOf(call)
    if (provider === undefined) return `upstream ${upstream}: no price list is known for its address`
    const at = now()
    return (tokens) => listedCost(tokens, { provider, model, at })
  }

  return {
    cost(call) {
      const { usage, isEstimated } = call
      if (usage === undefined) return { unknown: 'the upstream did not say how many tokens it used' }
      if (isEstimated)
        return { unknown: 'the upstream did not say how many tokens it used; ours are an estimate' }
      const special = specialService(call)
      if (special !== undefined) return { unknown: `the list prices are not for ${special}` }
      const price = priceOf(call)
      return typeof price === 'string' ? { unknown: price } : costOf(countedTokens(usage), price, call)
    },
  }
}

type PriceOf = (tokens: CountedTokens) => number | undefined

function costOf(tokens: CountedTokens, price: PriceOf, { upstream, model }: PricedCall): Cost {
  const usd = price(tokens)
  if (usd === undefined) return { unknown: `upstream ${upstream}: no price is known for ${model}` }
  const hasCache = tokens.cacheRead + tokens.cacheWrite + tokens.cacheWrite1h > 0
  const plain = hasCache ? price(uncached(tokens)) : usd
  return { usd, savedByCache: (plain ?? usd) - usd }
}

/** What makes an exchange cheaper or dearer than the list says. */
function specialService({ usage, tier }: PricedCall): string | undefined {
  const served = usage?.service_tier ?? tier
  if (typeof served === 'string' && !STANDARD.has(served.toLowerCase())) return `the service tier ${served}`
  if (typeof usage?.speed === 'string' && usage.speed !== 'standard') return `the speed ${usage.speed}`
  const place = usage?.inference_geo
  if (typeof place === 'string' && place !== 'global' && place !== 'not_available')
    return `inference in ${place}`
  return undefined
}
