import { basename } from 'node:path'
import { parseArguments, UsageError, visibleJson, visibleText, wholeNumber, workingFolder } from '@hydra/cli'
import { askedEndpoint, type Tape, type TapedCall } from '@hydra/tape'
import { openTape } from '../cli/open-tape.ts'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { sendRequest } from '../drive/send-request.ts'
import { targetOf } from '../drive/target.ts'
import { tapeFolders } from '../regress/tape-folders.ts'
import { countOf } from '@hydra/inspector/summary'
import { junitReport, writeJunit } from '../verdict/junit.ts'
import { type Verdict, verdictLine } from '../verdict/verdict.ts'
import { lastCallOf, meaningDrift } from './drift.ts'

const HELP = `hydra-tape drift TAPES... --target URL: send recorded requests to a live upstream and compare the meaning

Sends each request that an upstream was sent, in its dialect, and compares what comes back: the status, the reason to
stop, the tools that are called and what they are given. Texts may differ. Fields that were not recorded, and those that
no longer come, are told. The key is taken from HYDRA_KEY; requests may cost money.

Options
  --target URL   the base URL of the upstream, such as http://127.0.0.1:11434/v1
  --remote       allows a URL of another machine
  --strict       other fields fail as well
  --patience N   how many seconds the other side may be silent, default 120
  --junit FILE   also writes a JUnit report
  --json         prints the result as JSON
  -h, --help     this text

Exit codes
  0  all answers mean what they meant
  1  one does not, or with --strict fields are others
  2  what was typed makes no sense, or a tape cannot be read

Example
  HYDRA_KEY=… hydra-tape drift tapes/session --target https://api.openai.com/v1 --remote
`

interface DriftedCall {
  readonly tape: string
  readonly exchange: number
  readonly meaning: readonly string[]
  readonly fields: readonly string[]
}

/** Asks a live upstream again what was recorded. */
export const driftCommand: Command = {
  name: 'drift',
  summary: 'send recorded requests to a live upstream and compare the meaning',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals } = parseArguments(args, {
      command: 'hydra-tape drift',
      options: {
        target: { type: 'string' },
        remote: { type: 'boolean' },
        strict: { type: 'boolean' },
        patience: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
    if (positionals.length === 0 || values.target === undefined) {
      throw new UsageError('drift: expected tapes and --target URL; see hydra-tape drift --help')
    }
    const target = targetOf(values.target, { option: '--target', mayBeRemote: values.remote === true })
    const patience = wholeNumber('patience', values.patience, 120) * 1000
    const results: DriftedCall[] = []
    for (const folder of tapeFolders(positionals, workingFolder(surroundings.env))) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: limits of providers count requests
      results.push(...(await askAgain(openTape(folder), { target, patience }, surroundings)))
    }
    const isStrict = values.strict === true
    const verdict = verdictOf(results, isStrict)
    surroundings.out(
      values.json === true
        ? `${visibleJson({ verdict, exchanges: results })}\n`
        : results.map(describe).join('') + verdictLine(verdict),
    )
    writeJunit(values.junit, () => reportOf(results, isStrict), surroundings)
    return verdict.passed ? EXIT.ok : EXIT.found
  },
}

interface Asking {
  readonly target: URL
  readonly patience: number
}

async function askAgain(tape: Tape, asking: Asking, surroundings: Surroundings): Promise<DriftedCall[]> {
  const results: DriftedCall[] = []
  for (const exchange of tape.exchanges) {
    const call = lastCallOf(exchange)
    if (call === undefined || surroundings.signal.aborted) continue
    // oxlint-disable-next-line no-await-in-loop -- as above
    const live = await ask(call, asking, surroundings)
    const drift =
      live.status === undefined
        ? { meaning: [`no answer: ${live.failure ?? 'the connection broke'}`], fields: [] }
        : meaningDrift(call, { ...live, at: 0, chunks: live.chunks.map(({ bytes }) => ({ at: 0, bytes })) })
    results.push({ tape: basename(tape.folder), exchange: exchange.number, ...drift })
  }
  return results
}

function ask(
  { request, answer }: TapedCall,
  { target, patience }: Asking,
  { env, signal }: Surroundings,
): ReturnType<typeof sendRequest> {
  const [, query] = request.path.split('?', 2)
  const path = (askedEndpoint(request.path)?.route ?? request.path) + (query === undefined ? '' : `?${query}`)
  const expected = { number: 0, request: { ...request, path }, answer, calls: [], over: 0 }
  const sending = { target, headers: keysOf(env['HYDRA_KEY']), patience, signal }
  return sendRequest({ ...expected, leave: undefined, isPartial: false }, sending)
}

/** Each dialect has a header of its own for the key, and none of them minds the others. */
function keysOf(key: string | undefined): Record<string, string> {
  if (key === undefined || key === '') return {}
  return { authorization: `Bearer ${key}`, 'x-api-key': key, 'x-goog-api-key': key }
}

function verdictOf(results: readonly DriftedCall[], isStrict: boolean): Verdict {
  const other = results.filter(({ meaning }) => meaning.length > 0).length
  const shaped = results.filter(({ fields }) => fields.length > 0).length
  const fields = shaped === 0 ? '' : `, ${shaped} with other fields`
  if (results.length === 0) return { passed: false, reason: 'nothing was sent' }
  const passed = other === 0 && (shaped === 0 || !isStrict)
  return {
    passed,
    reason: `${countOf(results.length, 'request')} sent, ${other} mean something else${fields}`,
  }
}

function describe({ tape, exchange, meaning, fields }: DriftedCall): string {
  return [...meaning, ...fields].map((words) => `${visibleText(`${tape} ${exchange}: ${words}`)}\n`).join('')
}

function reportOf(results: readonly DriftedCall[], isStrict: boolean): string {
  const suites = Map.groupBy(results, ({ tape }) => tape)
  return junitReport(
    'drift',
    [...suites].map(([name, calls]) => ({
      name,
      cases: calls.map(({ exchange, meaning, fields }) => {
        const wrong = isStrict ? [...meaning, ...fields] : meaning
        const failure = wrong[0] === undefined ? undefined : { message: wrong[0], text: wrong.join('\n') }
        return { name: `exchange ${exchange}`, failure }
      }),
    })),
  )
}
