import { relative } from 'node:path'
import { parseArguments, UsageError, visibleJson, visibleLine, workingFolder } from '@hydra/cli'
import { TapeError } from '@hydra/tape'
import { progressLine } from '../cli/progress-line.ts'
import { EXIT, type Surroundings } from '../command.ts'
import { tapeFolders } from '../regress/tape-folders.ts'
import { countOf } from '@hydra/inspector/summary'

/** A check of many tapes: its words, and what it finds in one. */
export interface TapeCheck<Finding> {
  readonly command: string
  /** What is counted, such as `problem`. */
  readonly thing: string
  readonly find: (folder: string) => readonly Finding[]
  /** A finding in one line; nothing of a secret may be in it. */
  readonly describe: (finding: Finding) => string
}

/** What came out for one tape. */
interface CheckedTape<Finding> {
  readonly tape: string
  readonly findings: readonly Finding[]
  /** Why it could not be checked. */
  readonly unreadable?: string
}

/** Runs a check on all tapes that were named; gives the exit code. */
export function checkTapes<Finding>(
  check: TapeCheck<Finding>,
  args: readonly string[],
  surroundings: Surroundings,
): number {
  const { values, positionals } = parseArguments(args, {
    command: `hydra-tape ${check.command}`,
    options: { json: { type: 'boolean' } },
  })
  if (positionals.length === 0) {
    throw new UsageError(`${check.command}: which tapes? see hydra-tape ${check.command} --help`)
  }
  const folders = tapeFolders(positionals, workingFolder(surroundings.env))
  const checked = checkAll(check, folders, surroundings)
  const isAll = checked.length === folders.length
  const ok =
    isAll && checked.every(({ findings, unreadable }) => findings.length === 0 && unreadable === undefined)
  if (values.json === true)
    surroundings.out(`${visibleJson({ ok, isInterrupted: !isAll, tapes: checked })}\n`)
  else surroundings.out(printed(check, checked, folders.length))
  return ok ? EXIT.ok : EXIT.found
}

function checkAll<Finding>(
  check: TapeCheck<Finding>,
  folders: readonly string[],
  surroundings: Surroundings,
): CheckedTape<Finding>[] {
  const progress = progressLine(surroundings)
  const checked: CheckedTape<Finding>[] = []
  for (const folder of folders) {
    if (surroundings.signal.aborted) break
    progress.show(`${check.command} ${checked.length + 1} of ${folders.length}`)
    checked.push({
      tape: relative(workingFolder(surroundings.env), folder) || '.',
      ...checkOne(check, folder),
    })
  }
  progress.clear()
  return checked
}

/** A tape that cannot be read is not one that is in order. */
function checkOne<Finding>({ find }: TapeCheck<Finding>, folder: string): Omit<CheckedTape<Finding>, 'tape'> {
  try {
    return { findings: find(folder) }
  } catch (error) {
    if (!(error instanceof TapeError)) throw error
    return {
      findings: [],
      unreadable: error.line === 0 ? error.reason : `line ${error.line}: ${error.reason}`,
    }
  }
}

function printed<Finding>(
  { thing, describe }: TapeCheck<Finding>,
  checked: readonly CheckedTape<Finding>[],
  total: number,
): string {
  const lines = checked.flatMap(({ tape, findings, unreadable }) => [
    ...findings.map((finding) => `${visibleLine(tape)}: ${visibleLine(describe(finding))}`),
    ...(unreadable === undefined ? [] : [`${visibleLine(tape)}: CANNOT BE READ: ${visibleLine(unreadable)}`]),
  ])
  const found = checked.reduce((sum, { findings }) => sum + findings.length, 0)
  const unreadable = checked.filter((one) => one.unreadable !== undefined).length
  const summary = [
    countOf(checked.length, 'tape'),
    countOf(found, thing),
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable`]),
    ...(checked.length === total ? [] : [`interrupted, ${total - checked.length} not looked at`]),
  ]
  return `${[...lines, summary.join(', ')].join('\n')}\n`
}
