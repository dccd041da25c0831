import { basename } from 'node:path'
import { visibleLine, visibleText } from '@hydra/cli'
import { verdictLine } from '../verdict/verdict.ts'
import type { ExchangeResult, Finding, RegressResult } from './regress-result.ts'
import { regressVerdict } from './regress-verdict.ts'

/** A result in words: what differs and how, what was left out and why, and the counts. A terminal may colour diffs. */
export function describeResult(
  result: RegressResult,
  show: (diff: string) => string = (diff) => diff,
): string {
  const lines: string[] = []
  for (const { folder, exchanges, findings } of result.tapes) {
    const name = visibleLine(basename(folder))
    for (const finding of findings) lines.push(...described(name, finding, show))
    for (const exchange of exchanges) {
      const place = placeOf(name, exchange)
      if (exchange.outcome === 'skipped')
        lines.push(`${place}: left out: ${visibleLine(exchange.reason ?? '')}`)
      if (exchange.remark !== undefined) lines.push(`${place}: ${visibleText(exchange.remark)}`)
      for (const finding of exchange.findings) lines.push(...described(place, finding, show))
    }
  }
  for (const path of result.updated) lines.push(`updated ${visibleLine(path)}`)
  return lines.map((line) => `${line}\n`).join('') + verdictLine(regressVerdict(result))
}

function described(place: string, { message, diff }: Finding, show: (diff: string) => string): string[] {
  const line = `${place}: ${visibleText(message)}`
  return diff === undefined ? [line] : [line, show(visibleText(diff)), '']
}

function placeOf(tape: string, { number, through }: ExchangeResult): string {
  return through === 'core' ? `${tape} ${number}` : `${tape} ${number} through ${through}`
}
