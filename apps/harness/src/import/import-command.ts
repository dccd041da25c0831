import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { oneOf, parseArguments, typedPath, UsageError, visibleJson, visibleLine } from '@hydra/cli'
import { defaultRedaction, TapeError } from '@hydra/tape'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { countOf } from '@hydra/inspector/summary'
import type { Skipped, Source } from './imported.ts'
import { readSource, SOURCES } from './read-source.ts'
import { writeImported } from './write-imported.ts'

const HELP = `hydra-tape import: makes a tape of what another tool has recorded

Usage
  hydra-tape import FILE --out DIR [options]

  har           an HTTP archive (1.2), as browsers and proxies export it
  aimock        JSON fixtures of @copilotkit/aimock
  claude-trace  the JSONL of @mariozechner/claude-trace
  otel          spans and log records of OpenTelemetry as JSON (OTLP), where they carry gen_ai.input.messages

A tape made this way has one leg only: Messages requests are the client's leg, those in other dialects (Chat
Completions, Responses, Gemini) the upstream's. What else the source lacks (chunks, times, …) is written into the header of the tape, and
\`hydra-tape show\` prints it. Secrets are replaced on the way.

Options
  --out DIR    the folder of the new tape
  --from NAME  har, aimock, claude-trace or otel; found out by itself otherwise
  --json       the result as JSON
  -h, --help   this text

Exit codes
  0  everything that a tape can hold was imported
  1  a part of the file is broken; the rest was imported. Or there was nothing to import
  2  what was typed makes no sense, or the file cannot be read

Examples
  hydra-tape import session.har --out tapes/session
  hydra-tape import traces.jsonl --from otel --out tapes/session
`

const OPTIONS = { out: { type: 'string' }, from: { type: 'string' }, json: { type: 'boolean' } } as const

/** Larger files are not recordings of a session; reading them would fill the memory. */
const MAX_FILE_BYTES = 512 * 1024 * 1024

/** `import`: makes a tape of what another tool has recorded. */
export const importCommand: Command = {
  name: 'import',
  summary: 'makes a tape of a HAR, aimock fixtures, a claude-trace file or OpenTelemetry spans',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, { command: 'hydra-tape import', options: OPTIONS })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0)
      throw new UsageError('import: expected one file; see hydra-tape import --help')
    const { out, from, json = false } = values
    if (out === undefined || out === '') throw new UsageError('import: --out says where the tape goes')
    const source = openSource(
      typedPath(file, surroundings.env),
      from === undefined ? undefined : oneOf('from', from, SOURCES),
    )
    const isWritten =
      source.exchanges.length > 0 && write(source, typedPath(out, surroundings.env), surroundings)
    surroundings.out(json ? `${visibleJson(resultOf(source, out))}\n` : describe(source, out))
    return isWritten && !source.skipped.some(({ isBroken }) => isBroken) ? EXIT.ok : EXIT.found
  },
}

function openSource(file: string, from: (typeof SOURCES)[number] | undefined): Source {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new UsageError('it is larger than 512 MB')
    return readSource(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), from)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    if (!(error instanceof UsageError) && code === undefined) throw error
    throw new UsageError(`${visibleLine(file)}: ${message}`)
  }
}

function write(source: Source, folder: string, { env, err }: Pick<Surroundings, 'env' | 'err'>): boolean {
  let isWhole = true
  const onProblem = (message: string): void => {
    isWhole = false
    err(`hydra-tape: ${visibleLine(message)}\n`)
  }
  try {
    writeImported(source, { folder, redaction: defaultRedaction(env, homedir()), onProblem })
  } catch (error) {
    if (error instanceof TapeError) throw new UsageError(visibleLine(error.message))
    throw error
  }
  return isWhole
}

function resultOf({ from, lacks, exchanges, skipped }: Source, folder: string): object {
  return { folder, from, exchanges: exchanges.length, lacks, skipped }
}

function describe({ from, lacks, exchanges, skipped }: Source, folder: string): string {
  const brokenOnes = skipped.filter(({ isBroken }) => isBroken)
  const others = skipped.length - brokenOnes.length
  const lines = [
    exchanges.length === 0
      ? `There is nothing to import in this ${from} file; no tape was made.`
      : `Imported ${countOf(exchanges.length, 'exchange')} (${from}) into ${visibleLine(folder)}.`,
    ...(exchanges.length === 0 ? [] : ['The source does not have:', ...lacks.map((lack) => `  - ${lack}`)]),
    ...(others === 0 ? [] : [`Not imported, because no tape is about it: ${others}`, ...grouped(skipped)]),
    ...(brokenOnes.length === 0 ? [] : [`Not imported, because it is broken: ${brokenOnes.length}`]),
    ...brokenOnes.map(({ place, reason }) => `  - ${place}: ${visibleLine(reason)}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Equal reasons are listed once, with their number and their first place. */
function grouped(skipped: readonly Skipped[]): string[] {
  const groups = Map.groupBy(
    skipped.filter(({ isBroken }) => !isBroken),
    ({ reason }) => reason,
  )
  return [...groups].map(([reason, places]) => {
    return `  - ${places[0]?.place ?? ''}${places.length === 1 ? '' : ` and ${places.length - 1} more`}: ${visibleLine(reason)}`
  })
}
