import { join } from 'node:path'
import { readTape, type Tape, TapeMemory } from '@hydra/tape'
import { problemWords } from '../cli/open-tape.ts'
import { checkExchange, type Expectations } from './check-exchange.ts'
import { EXPECT_FOLDER, goldensIn, linkAmongGoldens, removeGolden } from './goldens.ts'
import type { ExchangeResult, Finding, RegressResult, TapeResult, Through } from './regress-result.ts'

/** How tapes are checked. */
export interface RegressOptions {
  /** Rewrites the expected answers instead of comparing with them. */
  readonly update?: boolean
  /** What they are sent through; by default the translator in memory. */
  readonly through?: readonly Through[]
  /** Opens a tape; by default the one in the folder. */
  readonly read?: (folder: string) => Tape
  readonly signal?: AbortSignal
  /** What this program is called where it was started. */
  readonly program?: string
  /** Told before each tape, and each thing that it is sent through. */
  readonly onProgress?: (progress: RegressProgress) => void
}

/** How far a check has come. */
export interface RegressProgress {
  readonly folder: string
  readonly through: Through
  readonly done: number
  readonly total: number
}

/** Sends tapes through the current translator, and compares with what was recorded and what is expected. */
export async function regress(
  folders: readonly string[],
  options: RegressOptions = {},
): Promise<RegressResult> {
  const { through = ['core'], update = false, read = readTape, signal, onProgress } = options
  const { program = 'hydra-tape' } = options
  const updated: string[] = []
  const tapes: TapeResult[] = []
  for (const [done, folder] of folders.entries()) {
    if (signal?.aborted === true) break
    const tape = open(folder, read)
    if ('findings' in tape) {
      tapes.push(tape)
      continue
    }
    const onUpdate = (name: string): void => void updated.push(join(folder, EXPECT_FOLDER, name))
    const expectations = { folder, goldens: goldensIn(folder), update, onUpdate, program }
    const exchanges: ExchangeResult[] = []
    for (const way of through) {
      onProgress?.({ folder, through: way, done, total: folders.length })
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      exchanges.push(...(await checkTape(tape, way, expectations)))
    }
    tapes.push({ folder, exchanges, findings: tapeFindings(tape, expectations) })
  }
  return { ok: tapes.every(isFine), tapes, updated, isInterrupted: tapes.length < folders.length }
}

/** A tape that cannot be opened is a finding and not the end of everything. */
function open(folder: string, read: (folder: string) => Tape): Tape | TapeResult {
  try {
    const link = linkAmongGoldens(folder)
    if (link !== undefined) throw new Error(`${link} is a link, and links are not followed`)
    return read(folder)
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return { folder, exchanges: [], findings: [{ about: 'tape', message }] }
  }
}

async function checkTape(tape: Tape, way: Through, expectations: Expectations): Promise<ExchangeResult[]> {
  if (way === 'core') {
    const memory = new TapeMemory()
    return tape.exchanges.map((exchange) => checkExchange(exchange, expectations, memory))
  }
  // Servers are only loaded where there is one.
  const { checkThrough } = await import('./through/check-through.ts')
  return checkThrough(tape, way)
}

function tapeFindings({ exchanges, problems }: Tape, expectations: Expectations): Finding[] {
  const { folder, goldens, update, onUpdate } = expectations
  const findings: Finding[] = problems.map((problem) => ({ about: 'tape', message: problemWords(problem) }))
  if (exchanges.length === 0) findings.push({ about: 'tape', message: 'there is no exchange on it' })
  const known = new Set(exchanges.map(({ number }) => number))
  for (const [number, names] of goldens) {
    for (const name of known.has(number) ? [] : names) {
      if (!update) {
        findings.push({ about: 'golden', message: `expect/${name} belongs to no exchange` })
        continue
      }
      removeGolden(folder, name)
      onUpdate(name)
    }
  }
  return findings
}

function isFine({ exchanges, findings }: TapeResult): boolean {
  return findings.length === 0 && exchanges.every(({ outcome }) => outcome !== 'different')
}
