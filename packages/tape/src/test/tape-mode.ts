/** What is done with the tape of a test. */
export type TapeMode = 'record' | 'replay'

/** What decides about it. */
export interface ModeQuestion {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the tape is there. */
  readonly exists: boolean
  readonly folder: string
  /** What records the tape anew. */
  readonly command: string
}

const CHOICES = ['auto', 'record', 'replay']

/** Whether a test records its tape or replays it; a tape that is missing and must not be recorded is an error. */
export function tapeMode({ env, exists, folder, command }: ModeQuestion): TapeMode {
  const typed = env['HYDRA_TAPE']
  const choice = typed === undefined || typed === '' ? 'auto' : typed
  if (!CHOICES.includes(choice)) {
    throw new Error(`HYDRA_TAPE: expected ${CHOICES.join(', ')}, got '${choice}'`)
  }
  if (choice === 'record') {
    if (isContinuousIntegration(env)) {
      throw new Error(
        'HYDRA_TAPE=record: nothing is recorded where CI is set; record on your machine and commit',
      )
    }
    return 'record'
  }
  if (exists) return 'replay'
  if (choice === 'auto' && !isContinuousIntegration(env)) return 'record'
  const why = choice === 'replay' ? 'HYDRA_TAPE=replay' : 'CI is set'
  throw new Error(`there is no tape ${folder}, and nothing is recorded here (${why}); record it: ${command}`)
}

/** Machines that test what others wrote say so in this variable. */
function isContinuousIntegration({ CI }: ModeQuestion['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false'
}
