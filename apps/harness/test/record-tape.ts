import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTape, ExchangeWriter, type TapedAnswer, type TapedExchange } from '@hydra/tape'
import { onTestFinished } from 'vitest'

const STARTED = Date.parse('2026-01-01T00:00:00.000Z') * 1000

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-tape-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes exchanges on a real tape, each line a millisecond after the one before; gives its folder. */
export function recordTape(
  exchanges: readonly TapedExchange[],
  folder = join(temporaryFolder(), 'tape'),
): string {
  const tape = createTape({ folder, header: { tool: 'hydra/test', redaction: 'none' }, started: STARTED })
  let at = STARTED
  const next = (): number => (at += 1000)
  for (const exchange of exchanges) writeExchange(new ExchangeWriter(tape), exchange, next)
  tape.close()
  return folder
}

function writeExchange(writer: ExchangeWriter, exchange: TapedExchange, next: () => number): void {
  const { request, calls, answer, moments, end } = exchange
  if (request !== undefined) writer.request(next(), 'c>', request)
  for (const { request: sent, via, answer: received } of calls) {
    writer.request(next(), '>u', via === undefined ? sent : { ...sent, via })
    writeAnswer(writer, { leg: 'u>', answer: received }, next)
  }
  writeAnswer(writer, { leg: '>c', answer }, next)
  for (const { leg, event } of moments) {
    const [, , , , type, data] = event
    if (type === 'abort') writer.event(next(), leg, { type, data })
    if (type === 'timeout') writer.event(next(), leg, { type, data })
  }
  if (end !== undefined) writer.done(next(), end.outcome)
}

function writeAnswer(
  writer: ExchangeWriter,
  { leg, answer }: { readonly leg: 'u>' | '>c'; readonly answer: TapedAnswer },
  next: () => number,
): void {
  const { status, headers, chunks, ended } = answer
  if (status === undefined) return
  writer.head(next(), leg, { status, headers })
  for (const { bytes } of chunks) writer.data(next(), leg, bytes)
  if (ended === 'clean') writer.end(next(), leg)
}
