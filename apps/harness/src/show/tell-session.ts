import { basename } from 'node:path'
import type { Tape, TapeHeader } from '@hydra/tape'
import type { SessionAccount } from './account.ts'
import { Continuations } from './continuation.ts'
import { isObject, jsonOf, textOf } from './json-text.ts'
import { tellExchange } from './tell-exchange.ts'

/** Tells a tape as a person would: who said what, and what came of it. */
export function tellSession(tape: Tape): SessionAccount {
  const earlier = new Continuations()
  const exchanges = tape.exchanges.map((exchange) => tellExchange(exchange, earlier))
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
  const { from, lacks }: Readonly<Record<string, unknown>> = isObject(imported) ? imported : {}
  return {
    ...header,
    imported: { from: wordsOf(from), lacks: Array.isArray(lacks) ? lacks.map(wordsOf) : [] },
  }
}

function wordsOf(value: unknown): string {
  return textOf(value) ?? jsonOf(value)
}
