import { isJsonObject } from '@hydra/core'
import { basename } from 'node:path'
import { callerOf, replayExchange, type Tape, type TapeHeader, TapeMemory } from '@hydra/tape'
import type { SessionSummary } from './session-summary.ts'
import { Continuations } from './continuation.ts'
import { jsonOf, textOf } from './json-text.ts'
import { summarizeExchange } from './summarize-exchange.ts'

/** Summarizes a tape: who said what, and what came of it. */
export function summarizeSession(tape: Tape): SessionSummary {
  const earlier = new Continuations()
  const memory = new TapeMemory()
  const exchanges = tape.exchanges.map((exchange) => {
    const summary = summarizeExchange(exchange, { earlier, memory })
    // Later requests may refer back to this one.
    if (callerOf(exchange).client.recalls !== undefined) replayExchange(exchange, memory)
    return summary
  })
  return {
    name: basename(tape.folder),
    header: readableHeader(tape.header),
    duration: exchanges.reduce((latest, { times }) => Math.max(latest, times.over), 0),
    exchanges,
    problems: tape.problems,
  }
}

/** What a header says about its source is not looked at by the reader, and may be anything. */
function readableHeader(header: TapeHeader): TapeHeader {
  const imported: unknown = header.imported
  if (imported === undefined) return header
  const { from, lacks }: Readonly<Record<string, unknown>> = isJsonObject(imported) ? imported : {}
  return {
    ...header,
    imported: { from: wordsOf(from), lacks: Array.isArray(lacks) ? lacks.map(wordsOf) : [] },
  }
}

function wordsOf(value: unknown): string {
  return textOf(value) ?? jsonOf(value)
}
