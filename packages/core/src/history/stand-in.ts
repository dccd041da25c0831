import { saysNoResult } from '../clients/habits.ts'

/** What a result says that takes the place of one that never came. */
export const STAND_IN = 'The tool call was interrupted and has no result.'

/** No stand-in is longer; a real result that quotes one mostly is. */
const MAX_LENGTH = 200

/** Whether the words of a result only say that there is none. */
export function isStandIn(words: string): boolean {
  return words === STAND_IN || (words.length <= MAX_LENGTH && saysNoResult(words))
}
