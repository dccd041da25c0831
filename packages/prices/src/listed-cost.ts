import { calcPrice, findProvider, type Provider } from '@pydantic/genai-prices'
import type { CountedTokens } from './counted-tokens.ts'

/** Whose list is asked, for which model, and when. */
export interface ListedModel {
  readonly provider: Provider
  readonly model: string
  readonly at: Date
}

/**
 * The provider behind an address, with this one model of its list; a model's name alone tells nothing, because anybody
 * may serve it at any price. To look through the whole list takes longer than to translate a short answer.
 */
export function providerAt(url: string, model: string): Provider | undefined {
  const provider = URL.canParse(url) ? findProvider({ providerApiUrl: new URL(url).href }) : undefined
  if (provider === undefined) return undefined
  const found = calcPrice({ input_tokens: 0 }, model, { provider })
  // Some lists refer to those of other providers: then there is nothing to shorten.
  return found !== null && provider.models.includes(found.model)
    ? { ...provider, models: [found.model] }
    : provider
}

/** What tokens cost by the provider's list, in US dollars, or nothing if its list does not say. */
export function listedCost(tokens: CountedTokens, { provider, model, at }: ListedModel): number | undefined {
  const { plain, cacheRead, cacheWrite, cacheWrite1h, output, reasoning, webSearches } = tokens
  const price = calcPrice(
    {
      input_tokens: plain + cacheRead + cacheWrite + cacheWrite1h,
      cache_read_tokens: cacheRead,
      cache_write_tokens: cacheWrite + cacheWrite1h,
      cache_write_1h_tokens: cacheWrite1h,
      output_tokens: output,
      output_reasoning_tokens: reasoning,
      web_searches: webSearches,
    },
    model,
    { provider, timestamp: at },
  )
  if (price === null) return undefined
  // A search that the list has no price for would count as free.
  if (webSearches > 0 && price.model_price['web_searches_kcount'] === undefined) return undefined
  return price.total_price
}
