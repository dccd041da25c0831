/** What the model of the pictures says in one turn. */
export interface Turn {
  readonly thinking?: string
  readonly text: string
  readonly call?: { readonly name: string; readonly input: object }
  /** What the tool gives, and how long it takes. */
  readonly result?: { readonly text: string; readonly took: number; readonly failed?: true }
  /** The part of the prompt that a cache serves. */
  readonly cached: number
  /** The upstream refuses the first try. */
  readonly isRefused?: true
  /** Milliseconds between two words. */
  readonly pace?: number
}

const TYPED = 'Make parseDate understand time zones, and test its callers.'
const DELEGATED = 'Find every caller of parseDate and say what each one passes to it.'
const STREAMED = 'Why does the build take nine minutes on CI?'
const WAITED = 'Write the release notes for 2.4.'

/** The words that sessions begin with. */
export const PROMPTS = { typed: TYPED, delegated: DELEGATED, streamed: STREAMED, waited: WAITED } as const

const DATES = `export function parseDate(text: string): Date {
  // Everything is local time.
  return new Date(text.replace(' ', 'T'))
}
`

/** What the model says, turn by turn, to those who begin with these words; nobody answers the others. */
export const TURNS: Readonly<Record<string, readonly Turn[]>> = {
  [TYPED]: [
    {
      thinking: 'Before I change anything I should see what parseDate does today, and who depends on that.',
      text: 'I will look at how dates are parsed today.',
      call: { name: 'Read', input: { file_path: 'src/dates.ts' } },
      result: { text: DATES, took: 90 },
      cached: 0,
    },
    {
      text: 'It takes everything for local time. Somebody else can find the callers meanwhile.',
      call: { name: 'Agent', input: { description: 'Find callers', prompt: DELEGATED } },
      result: { text: 'Three callers: the importer, the calendar and the report.', took: 0 },
      cached: 0.9,
    },
    {
      text: 'Three callers, and only the importer passes a zone. I will read it as ISO 8601 first.',
      call: {
        name: 'Edit',
        input: { file_path: 'src/dates.ts', old: 'new Date(text', new: 'parseIso(text) ?? new Date(text' },
      },
      result: { text: 'src/dates.ts was changed in one place.', took: 60 },
      cached: 0.92,
    },
    {
      text: 'Now the tests.',
      call: { name: 'Bash', input: { command: 'pnpm test dates', description: 'Run the tests of dates' } },
      result: {
        text: 'FAIL src/report.test.ts: expected 2024-03-31, got 2024-03-30',
        took: 700,
        failed: true,
      },
      cached: 0.93,
      isRefused: true,
    },
    {
      thinking: 'The report formats in local time. It should format in the zone that it was given.',
      text: 'The report still formats in local time.',
      call: {
        name: 'Edit',
        input: { file_path: 'src/report.ts', old: 'toDateString()', new: 'toISOString().slice(0, 10)' },
      },
      result: { text: 'src/report.ts was changed in one place.', took: 50 },
      cached: 0.94,
    },
    {
      text: 'parseDate reads ISO 8601 with its zone, and falls back to local time. The report formats in UTC. All three callers have tests, and they pass.',
      cached: 0.95,
    },
  ],
  [DELEGATED]: [
    {
      text: 'I will search for it.',
      call: { name: 'Bash', input: { command: 'grep -rn "parseDate(" src', description: 'Find callers' } },
      result: { text: 'src/import.ts:12\nsrc/calendar.ts:40\nsrc/report.ts:8', took: 120 },
      cached: 0,
    },
    { text: 'Three callers: the importer, the calendar and the report.', cached: 0.85 },
  ],
  [STREAMED]: [
    {
      text: 'Most of it is the same work done twice. The packages are built once for the tests and once more for the bundle, because the cache is keyed by the name of the job and not by what goes in. '.repeat(
        12,
      ),
      cached: 0,
      pace: 60,
    },
  ],
}
