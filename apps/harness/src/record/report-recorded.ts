import { homedir } from 'node:os'
import { relative } from 'node:path'
import { programName, quotedWord, visibleJson, visibleLine, workingFolder } from '@hydra/cli'
import { defaultRedaction, scanTape } from '@hydra/tape'
import type { Surroundings } from '../command.ts'
import type { NewTape } from './new-tapes.ts'

/** Where the report goes. */
export interface ReportPlace {
  /** Where JSON is wanted; undefined for words to a person. */
  readonly jsonTo: 'out' | 'err' | undefined
  readonly surroundings: Surroundings
}

/** Says what is on the new tapes and what to do with them; the command may own standard output. */
export function reportRecorded(recorded: readonly NewTape[], { jsonTo, surroundings }: ReportPlace): void {
  const { env } = surroundings
  const redaction = defaultRedaction(env, homedir())
  const tapes = recorded.map((tape) => ({ ...tape, secrets: scanTape(tape.folder, redaction).length }))
  if (jsonTo !== undefined) {
    surroundings[jsonTo](`${visibleJson({ tapes }, 0)}\n`)
    return
  }
  if (tapes.length === 0) {
    surroundings.err(
      'hydra-tape: nothing was recorded: no request came, or a message above says why it could not be written\n',
    )
  }
  const program = programName(env)
  for (const { folder, exchanges, secrets } of tapes) {
    const shown = visibleLine(quotedWord(relative(workingFolder(env), folder) || folder))
    const warning = secrets === 0 ? '' : `; ${secrets} secrets are left in it, see ${program} scan ${shown}`
    surroundings.err(`hydra-tape: recorded ${exchanges} exchanges in ${shown}${warning}\n`)
    surroundings.err(
      `  look at it: ${program} show ${shown}; play it: ${program} serve ${shown} --as proxy\n`,
    )
  }
}
