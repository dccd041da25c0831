import { writeFileSync } from 'node:fs'
import {
  parseArguments,
  typedPath,
  UsageError,
  visibleJson,
  visibleLine,
  wholeNumber,
  workingFolder,
} from '@hydra/cli'
import { readTape, type Tape, TapeError } from '@hydra/tape'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { buildPage, type SummarizedTape, viewerBundle } from '@hydra/inspector'
import { tapeFolders } from '../regress/tape-folders.ts'
import { FULL, printSession } from './print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'

const HELP = `hydra-tape show: a recorded session as a person would tell it

Usage
  hydra-tape show TAPES… [options]

A tape is a folder with a tape.jsonl. A folder of tapes stands for all of them.

Options
  --exchange N  only exchange N
  --full        print long texts whole
  --html FILE   write one self-contained page instead, to be opened in a browser
  --json        the summary as JSON
  -h, --help    this text

Exit codes
  0  all was shown
  1  something is wrong with a tape; what is readable was shown
  2  what was typed makes no sense, or a tape cannot be read at all

Examples
  hydra-tape show tapes/weather
  hydra-tape show tapes/weather --exchange 3 --full
  hydra-tape show tapes --html session.html
`

const OPTIONS = {
  exchange: { type: 'string' },
  full: { type: 'boolean' },
  html: { type: 'string' },
  json: { type: 'boolean' },
} as const

interface Shown {
  readonly exchange: number | undefined
  readonly full: boolean
  readonly html: string | undefined
  readonly json: boolean
}

/** `show`: summarizes sessions in the terminal, as JSON or as a page. */
export const showCommand: Command = {
  name: 'show',
  summary: 'tells a session in the terminal, or writes it as a page (--html)',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, { command: 'hydra-tape show', options: OPTIONS })
    if (positionals.length === 0) throw new UsageError('show: which tape? see hydra-tape show --help')
    const { exchange, full = false, html, json = false } = values
    const wanted = exchange === undefined ? undefined : wholeNumber('exchange', exchange, 0)
    const folders = tapeFolders(positionals, workingFolder(surroundings.env))
    const tapes = openTapes(folders, surroundings)
    await show(tapes, { exchange: wanted, full, html, json }, surroundings)
    const isWhole = tapes.length === folders.length && tapes.every(({ problems }) => problems.length === 0)
    return isWhole ? EXIT.ok : EXIT.found
  },
}

async function show(
  tapes: readonly Tape[],
  { exchange, full, html, json }: Shown,
  surroundings: Surroundings,
): Promise<void> {
  const summarized = tapes.map((tape) => only({ tape, summary: summarizeSession(tape) }, exchange))
  if (html !== undefined) {
    writePage(typedPath(html, surroundings.env), buildPage(summarized, await viewerBundle()))
    surroundings.out(
      json ? `${visibleJson({ page: html, tapes: summarized.length })}\n` : `wrote ${visibleLine(html)}\n`,
    )
    return
  }
  if (json) surroundings.out(`${visibleJson(summarized.map(({ summary }) => summary))}\n`)
  else for (const { summary } of summarized) surroundings.out(printSession(summary, full ? FULL : undefined))
}

/** Opens what can be opened; the rest is reported, and is only a mistake if nothing is left to be shown. */
function openTapes(folders: readonly string[], surroundings: Surroundings): Tape[] {
  const complaints: string[] = []
  const tapes = folders.flatMap((folder) => {
    try {
      return [readTape(folder)]
    } catch (error) {
      if (!(error instanceof TapeError)) throw error
      complaints.push(visibleLine(error.message))
      return []
    }
  })
  if (tapes.length === 0) throw new UsageError(complaints.join('; '))
  for (const complaint of complaints) surroundings.err(`hydra-tape: ${complaint}\n`)
  return tapes
}

/** What is new in an exchange is only known next to the ones before it, so all are summarized and one is kept. */
function only({ tape, summary }: SummarizedTape, number: number | undefined): SummarizedTape {
  if (number === undefined) return { tape, summary }
  const exchanges = tape.exchanges.filter((exchange) => exchange.number === number)
  if (exchanges.length === 0) throw new UsageError(noSuchExchange(tape, number))
  const summarized = summary.exchanges.filter((exchange) => exchange.number === number)
  return { tape: { ...tape, exchanges }, summary: { ...summary, exchanges: summarized } }
}

function noSuchExchange({ folder, exchanges }: Tape, number: number): string {
  const last = exchanges.at(-1)?.number
  const range = last === undefined ? 'it has none' : `it has 1 to ${last}`
  return `--exchange: ${visibleLine(folder)} has no exchange ${number}; ${range}`
}

function writePage(file: string, page: string): void {
  try {
    // A page holds what the tapes hold, so that it is as private as they are.
    writeFileSync(file, page, { mode: 0o600 })
  } catch (error) {
    throw new UsageError(
      `--html: cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
