import { visibleLine } from '@hydra/cli'
import type { SessionSummary } from '@hydra/inspector/summary'
import { countOf, spanOf } from '@hydra/inspector/summary'
import { type Lengths, printExchange } from './print-exchange.ts'

const SHORT: Lengths = { text: 600, thinking: 200 }

/** Everything, as long as it is. */
export const FULL: Lengths = { text: Infinity, thinking: Infinity }

/** Prints a session: who, what is wrong with the tape, and each exchange. */
export function printSession(session: SessionSummary, lengths: Lengths = SHORT): string {
  const { name, header, duration, exchanges, problems } = session
  const { client, session: id, started, tool, imported, redaction } = header
  const lines = [
    `Tape ${visibleLine(name)}`,
    `  client     ${client === undefined ? 'unknown' : visibleLine(client)}${
      id === undefined ? '' : `, session ${visibleLine(id)}`
    }`,
    `  recorded   ${visibleLine(started)}, ${spanOf(duration)}, ${countOf(exchanges.length, 'exchange')}, ` +
      `by ${visibleLine(tool)}, redaction ${visibleLine(redaction)}`,
    ...(imported === undefined
      ? []
      : [
          `  imported   from ${visibleLine(imported.from)}; it lacks: ${imported.lacks.map(visibleLine).join('; ')}`,
        ]),
    ...problems.map(({ line, reason }) => `  PROBLEM    ${placeOf(line)}${visibleLine(reason)}`),
    '',
    ...exchanges.flatMap((exchange) => printExchange(exchange, lengths)),
  ]
  return `${lines.join('\n')}\n`
}

function placeOf(line: number): string {
  return line === 0 ? '' : `line ${line}: `
}
