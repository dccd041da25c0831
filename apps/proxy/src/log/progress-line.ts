import { styleText } from 'node:util'
import { plainText } from './plain-text.ts'
import { agentWords, seconds, timeWords } from './pretty-line.ts'
import type { Progress } from './progress.ts'

/** One line for a person: who waits, for whom, and why. */
export function progressLine(progress: Progress, now: Date): string {
  const { clientModel, upstream, upstreamModel, event } = progress
  const to = upstream === undefined ? '' : ` → ${upstream} ${upstreamModel ?? ''}`
  const where = plainText(`${clientModel ?? 'a request'}${to}`)
  return [timeWords(now), agentWords(progress), where, styleText('yellow', plainText(wordsOf(event)))].join(
    '  ',
  )
}

function wordsOf(event: Progress['event']): string {
  switch (event.kind) {
    case 'waiting':
      return `waiting: no answer for ${seconds(event.milliseconds)}`
    case 'retry':
      return `retry in ${seconds(event.pause)}: ${event.failure.error.kind}: ${event.failure.error.message}`
    case 'fallback':
      return `falls back to ${event.to.upstream} ${event.to.model}: ${event.failure.error.kind}: ${event.failure.error.message}`
  }
}
