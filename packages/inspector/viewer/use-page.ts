import { useEffect, useState } from 'preact/hooks'
import type { ExchangeEntry, ExchangePage, ExchangeUpdate } from '../src/page/page-data.ts'
import type { Source } from './source.ts'

/** What is known of the exchange that is looked at; it goes on while the exchange does. */
export function usePage(
  source: Source,
  entry: ExchangeEntry,
): { page: ExchangePage | undefined; trouble: string } {
  const [page, setPage] = useState<ExchangePage>()
  const [trouble, setTrouble] = useState('')
  const isUnderWay = entry.state === 'waiting' || entry.state === 'streaming'
  useEffect(() => {
    let isOver = false
    let stop = (): void => {}
    const show = (found: ExchangePage): void => {
      if (isOver) return
      setPage(found)
      setTrouble('')
      if (isUnderWay)
        stop = source.watch(entry.id, (update) => setPage((before) => before && updated(before, update)))
    }
    source
      .page(entry.id)
      .then(show, (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error)))
    return () => {
      isOver = true
      stop()
    }
    // Once it is over, everything is asked for once more.
  }, [entry.id, isUnderWay])
  return { page, trouble }
}

function updated(page: ExchangePage, { summary, rows, rowsFrom, lanes }: ExchangeUpdate): ExchangePage {
  return { ...page, summary, lanes, rows: [...page.rows.slice(0, rowsFrom), ...rows] }
}
