/** From how many repetitions on something is called a loop, and which tools are made for repetition. */
export interface LoopOptions {
  /** Calls in a row of one tool with equal input that all fail or say the same (4). */
  readonly sameCall: number
  /** Calls in a row of one tool with slightly other inputs that fail or say what was said before (off). */
  readonly similarCalls: number
  /** Calls in a row of one tool with other inputs that fail or say what was said before (15). */
  readonly sameTool: number
  /** Calls in a row of one tool with other inputs, although they bring something new (80). */
  readonly sameToolWithNews: number
  /** Rounds of the same calls, two or more in turn, that bring nothing new (3). */
  readonly alternation: number
  /** How many calls a round may have (4). */
  readonly longestRound: number
  /** Turns in a row whose calls have no result at all (off). */
  readonly lostResults: number
  /** Whether a failure that says something else than the last one brings something new (false). */
  readonly failuresAreNews: boolean
  /** Takes the place of each smaller threshold where a polling tool is called (40). */
  readonly polling: number
  /** Names of tools that are called again and again until something happens. */
  readonly pollingTools: readonly RegExp[]
  /** What a call says, its name and its input as JSON, that waits before it looks. */
  readonly pollingCalls: readonly RegExp[]
  /** Names of tools that say the same after each success, whatever they changed: calls that are alike are work. */
  readonly changingTools: readonly RegExp[]
}

const CHANGING =
  /(?:^|[_-])(?:add|append|apply|create|delete|edit|insert|move|patch|remove|rename|replace|send|set|update|write)|(?:Add|Append|Apply|Create|Delete|Edit|Insert|Move|Patch|Remove|Rename|Replace|Send|Set|Update|Write)/

/** What holds where a caller of `loops` says nothing else. */
export const DEFAULT_LOOP_OPTIONS: LoopOptions = {
  sameCall: 4,
  similarCalls: Infinity,
  sameTool: 15,
  sameToolWithNews: 80,
  alternation: 3,
  longestRound: 4,
  lostResults: Infinity,
  failuresAreNews: false,
  polling: 40,
  pollingTools: [/output$/i, /^Kill(Shell|Bash)$/, /^write_stdin$/, /monitor|poll|sleep|status|wait/i],
  pollingCalls: [/\bsleep \d/i],
  changingTools: [CHANGING],
}
