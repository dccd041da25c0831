import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { parseArguments, typedPath, UsageError, visibleJson, visibleLine } from '@hydra/cli'
import { countOf } from '@hydra/inspector/summary'
import type { Tape } from '@hydra/tape'
import { openTape } from '../cli/open-tape.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { loadPricesAt } from './load-prices.ts'
import { sessionCost } from './session-cost.ts'
import { figureRows, type SessionFigures, sessionFigures, verifyIn } from './session-figures.ts'

const HELP = `hydra-tape compare A B…: what became of sessions, side by side

Shows for each tape the models, turns, tools, tokens, time, money and the last text. Costs are those that were written
down with the session, or else list prices of that time, where the tape says whose they are. With --verify a command judges what each
session left behind: it is run in the folder that the session worked in, as the tape says, or as typed behind the tape.

Options
  --verify COMMAND  runs a command for each tape, and shows whether it ended well
  --json            prints the figures as JSON
  -h, --help        this text

Exit codes
  0  all is shown, and with --verify every command ended well
  1  a command did not end well, or a session's folder is not known
  2  what was typed makes no sense, or a tape cannot be read

Examples
  hydra-tape compare tapes/session tapes/session-fork-7
  hydra-tape compare tapes/session=work/a tapes/session-fork-7=work/b --verify 'npm test'
`

/** Shows sessions side by side. */
export const compareCommand: Command = {
  name: 'compare',
  summary: 'show what became of sessions side by side, judged by a command',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape compare',
      options: { verify: { type: 'string' }, json: { type: 'boolean' } },
    })
    if (positionals.length === 0)
      throw new UsageError('compare: expected tapes; see hydra-tape compare --help')
    const figures = await Promise.all(
      positionals.map((typed) => figuresOf(typed, values.verify, surroundings)),
    )
    surroundings.out(values.json === true ? `${visibleJson(figures)}\n` : tableOf(figures))
    const isBad = figures.some(({ verdict }) => verdict === 'failed' || verdict === 'not run')
    return isBad ? EXIT.found : EXIT.ok
  },
}

async function figuresOf(
  typed: string,
  verify: string | undefined,
  { env, err }: Pick<Surroundings, 'env' | 'err'>,
): Promise<SessionFigures> {
  const cut = typed.lastIndexOf('=')
  const path = typedPath(cut === -1 ? typed : typed.slice(0, cut), env)
  const tape = openTape(path)
  const cost = await sessionCost(tape, loadPricesAt)
  if (verify === undefined) return sessionFigures(tape, { cost, verdict: undefined })
  const named = cut === -1 ? undefined : typed.slice(cut + 1)
  const folder = named === undefined ? workspaceOf(tape) : typedPath(named, env)
  if (named !== undefined && !existsSync(folder ?? named)) {
    throw new UsageError(`${typed.slice(0, cut)}: there is no folder ${named}`)
  }
  if (folder !== undefined && existsSync(folder))
    return sessionFigures(tape, { cost, verdict: verifyIn(folder, verify) })
  err(`${visibleLine(`${path}: the folder of its session is not known; type ${typed}=FOLDER`)}\n`)
  return sessionFigures(tape, { cost, verdict: 'not run' })
}

/** Where a session worked; what was the home directory there is the one of this machine. */
function workspaceOf({ header: { workspace } }: Tape): string | undefined {
  return workspace?.replace(/~H\d+-*~/, () => homedir())
}

/** The longest text in a column; the last row is not shortened. */
const MAX_CELL = 40

function tableOf(figures: readonly SessionFigures[]): string {
  const columns = figures.map((one) => new Map(figureRows(one)))
  const rows = [...(columns[0]?.keys() ?? [])].filter((row) => row !== 'final text')
  const cells = [
    ['', ...figures.map(({ name }) => shortened(name))],
    ...rows.map((row) => [row].concat(columns.map((column) => shortened(column.get(row) ?? '')))),
  ]
  const widths = (cells[0] ?? []).map((_cell, index) =>
    Math.max(...cells.map((row) => row[index]?.length ?? 0)),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const texts = figures.map(
    ({ name, finalText }) => `${visibleLine(name)} ends with: ${visibleLine(finalText)}`,
  )
  const gaps = figures.flatMap(({ name, cost: { unpriced, unknown } }) =>
    unknown === undefined
      ? []
      : [`${name}: the cost of ${countOf(unpriced, 'exchange')} is not known: ${unknown}`],
  )
  return `${[...lines, ...gaps.map(visibleLine), ...texts].join('\n')}\n`
}

function shortened(text: string): string {
  const line = visibleLine(text)
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL - 1)}…` : line
}
