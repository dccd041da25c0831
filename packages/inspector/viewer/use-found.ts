import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Found, type Term, wordsOf } from './filter.ts'
import { isUnderWay, type Listed } from './rows.ts'
import type { Source } from './source.ts'

/** How long is waited for more to be typed, in milliseconds. */
const SETTLED = 120

/** In which texts the words of a filter are; undefined without words. What ends while somebody searches is looked at too. */
export function useFound(source: Source, terms: readonly Term[], listed: Listed): Found | undefined {
  const [found, setFound] = useState<Found>()
  const { wanted, unwanted } = wordsOf(terms)
  const hasWords = wanted.length + unwanted.length > 0
  const size = listed.entries.size
  const over = useMemo(
    () => [...listed.entries.values()].filter((entry) => !isUnderWay(entry)).length,
    [listed],
  )
  useEffect(() => {
    if (!hasWords) return setFound(undefined)
    const timer = setTimeout(() => void searched(source, wanted, unwanted).then(setFound), SETTLED)
    return () => clearTimeout(timer)
  }, [wanted.join('\n'), unwanted.join('\n'), size, over])
  return hasWords ? found : undefined
}

async function searched(
  source: Source,
  wanted: readonly string[],
  unwanted: readonly string[],
): Promise<Found> {
  const all = wanted.length === 0 ? new Set<string>() : await source.search(wanted)
  const shunned = await Promise.all(unwanted.map((word) => source.search([word])))
  return { wanted: all, unwanted: new Set(shunned.flatMap((ids) => Array.from(ids))) }
}
