/** What a result says that takes the place of one that never came. */
export const STAND_IN = 'The tool call was interrupted and has no result.'

/** Nobody's stand-in is longer; a real result that quotes one mostly is. */
const LONGEST = 200

/** How others say it: Claude Code, LiteLLM. */
const OTHERS = /^\[?tool result missing|^\[?system: tool execution (?:skipped|interrupted)/i

/** Whether the words of a result only say that there is none. */
export function isStandIn(words: string): boolean {
  return words === STAND_IN || (words.length <= LONGEST && OTHERS.test(words))
}
