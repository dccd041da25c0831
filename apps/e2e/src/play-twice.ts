import { NotOffered } from './scenario.ts'

/** How something went that was played. */
export interface Verdict {
  readonly verdict: 'PASS' | 'FAIL' | 'SKIP'
  /** Why, unless it passed at once. */
  readonly reason: string
  readonly seconds: number
}

/**
 * Plays something, and once more if it fails: agents have deadlines of their own, which pass on a machine that is busy
 * with something else.
 */
export async function playTwice(play: () => Promise<void>): Promise<Verdict> {
  const first = await playOnce(play)
  if (first.verdict !== 'FAIL') return first
  const second = await playOnce(play)
  const reason = `on the second try; the first: ${first.reason}`
  return second.verdict === 'FAIL' ? second : { ...second, reason }
}

async function playOnce(play: () => Promise<void>): Promise<Verdict> {
  const began = performance.now()
  const ended = (verdict: Verdict['verdict'], reason: string): Verdict => ({
    verdict,
    reason,
    seconds: (performance.now() - began) / 1000,
  })
  try {
    await play()
    return ended('PASS', '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return ended(error instanceof NotOffered ? 'SKIP' : 'FAIL', reason)
  }
}

/** A line that tells how something went. */
export function verdictLine(label: string, { verdict, reason, seconds }: Verdict): string {
  return `  ${verdict} ${label} (${seconds.toFixed(1)} s)${reason === '' ? '' : `: ${reason}`}`
}
