import type { ConversionTrace, MessageOutline } from '@hydra/core'
import type { ExchangeReport } from '@hydra/gateway'
import { pino } from 'pino'
import type { LogFormat } from '../settings/settings.ts'
import { prettyLine } from './pretty-line.ts'

/** Takes the report of each exchange. */
export type Logger = (report: ExchangeReport) => void

/** The logger of a format; it writes to standard output. */
export function createLogger(format: LogFormat, write: (text: string) => void = writeOut): Logger {
  switch (format) {
    case 'silent':
      return () => {}
    case 'json':
      return jsonLogger(write)
    case 'pretty':
      return (report) => write(`${prettyLine(report, new Date())}\n`)
    case 'debug':
      return (report) => write(`${prettyLine(report, new Date())}\n${debugLines(report)}`)
  }
}

function writeOut(text: string): void {
  process.stdout.write(text)
}

function jsonLogger(write: (text: string) => void): Logger {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  return (report) => {
    if (report.outcome === 'failed') logger.warn(report, 'exchange')
    else logger.info(report, 'exchange')
  }
}

/** What was translated into what, and every note: types and numbers, no words of the conversation. */
function debugLines({ trace, notes }: ExchangeReport): string {
  const lines = notes.map(({ code, path, message }) => `    note ${code} at ${path}: ${message}`)
  return [...(trace === undefined ? [] : traceLines(trace)), ...lines].map((line) => `${line}\n`).join('')
}

function traceLines({ input, output }: ConversionTrace): string[] {
  return [
    `  in: ${input.length} messages`,
    ...input.map(outlineLine),
    `  out: ${output.length} messages`,
    ...output.map(outlineLine),
  ]
}

function outlineLine({ index, role, blocks, calls, results }: MessageOutline): string {
  const types = Object.entries(blocks).map(([type, number]) => `${number} ${type}`)
  return `    [${index}] ${role}: ${types.join(', ') || 'empty'} (calls ${calls}, results ${results})`
}
