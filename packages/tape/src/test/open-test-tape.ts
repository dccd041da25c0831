import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE } from '../format/lines.ts'
import { type Answers, Answers as TapeAnswers } from '../play/answers.ts'
import { type ModelRequestOptions, modelRequests } from '../play/model-requests.ts'
import type { PlayedRequest } from '../play/played-request.ts'
import type { PlayerOptions } from '../play/player.ts'
import { respond } from '../play/respond.ts'
import { readTape } from '../read/read-tape.ts'
import { claimTape } from './claims.ts'
import { interceptFetch, type Interceptor, realFetch } from './intercepted-fetch.ts'
import { TapeDraft } from './tape-draft.ts'
import { recordRequest } from './record-request.ts'
import { type ServedFetch, serveFetch } from './serve-fetch.ts'
import { changesOf, StaleTape } from './stale-tape.ts'
import { type TapeMode, tapeMode } from './tape-mode.ts'
import { tapePlace, type TestOfTape } from './tape-place.ts'

/** How the tape of a test is recorded and replayed. */
export interface TestTapeOptions extends PlayerOptions, ModelRequestOptions {
  /** The name of the tape; by default that of the test. */
  readonly name?: string
  /** The base URL of the model, for programs that are given `tape.url` in its place: those that do not use `fetch`. */
  readonly upstream?: string
  /** Whether the requests of the global `fetch` are for the tape; they are by default. */
  readonly intercept?: boolean
  /** The environment that HYDRA_TAPE and CI are looked up in. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What is known of a test. */
export interface RunningTest extends TestOfTape {
  /** What tells it from another test with the same name. */
  readonly id: string
  /** The command that records its tape. */
  readonly command: string
}

/** The tape of a test that runs. */
export interface TestTape {
  readonly mode: TapeMode
  readonly folder: string
  /** Answers from the tape, or asks the model and records it. */
  readonly fetch: typeof fetch
  /** The base URL that takes the place of `upstream`. */
  readonly url: string
  /** What was asked so far and what answered it, when the tape is replayed. */
  readonly requests: readonly PlayedRequest[]
}

/** How a test ended; not every runner says so. */
export type TestEnd = 'passed' | 'failed' | 'unknown'

/** A tape and what is done when its test is over. */
export interface OpenTestTape extends TestTape {
  /** What the test asked for that is not on the tape; undefined if nothing. */
  stale(): StaleTape | undefined
  /** Ends the use of the tape. Throws if a test that did not fail did not use it as recorded, or recorded nothing. */
  close(end: TestEnd): Promise<void>
}

/** Opens the tape of a test: replays it if it is there, else records it. */
export async function openTestTape(test: RunningTest, options: TestTapeOptions): Promise<OpenTestTape> {
  const folder = tapePlace({ ...test, name: options.name })
  const exists = existsSync(join(folder, TAPE_FILE))
  claimTape({ folder, id: test.id, test: test.test })
  const mode = tapeMode({ env: options.env ?? process.env, exists, folder, command: test.command })
  const tape = mode === 'record' ? recording(folder, test, options) : replaying(folder, test, options)
  const send = tape.intercept
  const ownFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    return send(request) ?? realFetch(request)
  }
  const release = options.intercept === false ? undefined : interceptFetch(folder, send)
  const served = await servedBy(options, ownFetch)
  return {
    mode,
    folder,
    fetch: ownFetch,
    requests: tape.requests,
    get url() {
      if (served !== undefined) return served.url
      throw new Error("tape.url: expected the option upstream, such as useTape({ upstream: 'https://…/v1' })")
    },
    stale: tape.stale,
    async close(end) {
      release?.()
      await served?.stop()
      tape.close(end)
    },
  }
}

interface UsedTape {
  readonly intercept: Interceptor
  readonly requests: readonly PlayedRequest[]
  readonly stale: () => StaleTape | undefined
  readonly close: (end: TestEnd) => void
}

function recording(folder: string, { test }: RunningTest, options: TestTapeOptions): UsedTape {
  const tape = new TapeDraft({ folder, test })
  const isForTape = modelRequests(options)
  let trouble: string | undefined
  const send: typeof fetch = async (input) => {
    trouble = 'got no answer'
    const response = await realFetch(input)
    trouble = response.ok ? undefined : `was answered with status ${response.status}`
    return response
  }
  return {
    requests: [],
    intercept: (request) => (isForTape(request) ? recordRequest(request, send, tape.begin()) : undefined),
    stale: () => undefined,
    close(end) {
      // A test that was refused has hardly passed, and its tape would refuse it for ever.
      const doubt = end === 'unknown' ? trouble : undefined
      if (end !== 'failed' && doubt === undefined && tape.exchanges > 0) {
        tape.keep()
        return
      }
      tape.discard()
      if (end === 'failed') return
      if (doubt !== undefined) {
        throw new Error(
          `useTape: the last request ${doubt}, and nothing says whether the test has passed, so its tape is not kept; ` +
            'if it has, say so in the context: passed: true',
        )
      }
      throw new Error(
        'useTape: the test asked no model for anything, so there is nothing to record. Requests of fetch are ' +
          "recorded; for others, or those of another process, use { upstream: 'https://…' } and tape.url",
      )
    },
  }
}

function replaying(folder: string, { test, command }: RunningTest, options: TestTapeOptions): UsedTape {
  const source = readTape(folder)
  const { session } = source.header
  if (options.name === undefined && session !== undefined && session !== test && !/~[KEH]\d/.test(session)) {
    throw new Error(
      `the tape ${folder} was recorded for the test '${session}' and not for '${test}'; name one: useTape('another-name')`,
    )
  }
  const answers: Answers = new TapeAnswers(source, options)
  const isForTape = modelRequests(options, answers.recordings)
  const stale = (): StaleTape | undefined => {
    const changes = changesOf(answers)
    return changes.length === 0 ? undefined : new StaleTape(folder, changes, command)
  }
  return {
    requests: answers.requests,
    intercept: (request) => (isForTape(request) ? replay(request, answers, options) : undefined),
    stale: () => (answers.misses.length === 0 ? undefined : stale()),
    close(end) {
      const error = end === 'failed' ? undefined : stale()
      if (error !== undefined) throw error
    },
  }
}

async function replay(request: Request, answers: Answers, options: TestTapeOptions): Promise<Response> {
  const { status, headers, body } = await respond(request, answers, options)
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: request.url })
}

async function servedBy(
  { upstream }: TestTapeOptions,
  answer: typeof fetch,
): Promise<ServedFetch | undefined> {
  return upstream === undefined ? undefined : serveFetch(upstream, answer)
}
