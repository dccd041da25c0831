import {
  answer,
  refuse,
  type ScriptedAnswer,
  type SeenRequest,
  startUpstream,
  type Turn,
} from '@hydra/testkit'
import { houseProblems } from './house-rules.ts'

/** Plays the model: what it answers to a request, which is the n-th of its scenario. */
export type Model = (request: SeenRequest, number: number) => ScriptedAnswer | Turn

/** A request that reached the upstream. */
export interface Received {
  readonly request: SeenRequest
  /** What was refused about it. */
  readonly problems: readonly string[]
  /** When it came, in milliseconds on the process's clock. */
  readonly at: number
}

/** An upstream that refuses what real providers refuse, with a model that changes from scenario to scenario. */
export interface StrictUpstream {
  /** The base URL. */
  readonly url: string
  /** What came since the model was last changed. */
  readonly received: readonly Received[]
  /** Begins a new scenario. */
  play(model: Model): void
  close(): Promise<void>
}

/** What an upstream refuses beyond the rules of every provider. */
export type Rules = (request: SeenRequest) => readonly string[]

/** Starts an upstream on a free port. */
export async function startStrictUpstream(rules: Rules = houseProblems): Promise<StrictUpstream> {
  const judged = new Map<SeenRequest, Pick<Received, 'problems' | 'at'>>()
  let model: Model = idle
  let first = 0
  const upstream = await startUpstream((request) => {
    const at = performance.now()
    const number = judged.size
    const { turn, problems } = judge(request, { model, number, first, rules })
    judged.set(request, { problems, at })
    return turn(request)
  })
  let unseen = 0
  return {
    url: upstream.url,
    get received() {
      return upstream.seen.slice(unseen).map((request) => ({
        request,
        problems: judged.get(request)?.problems ?? request.problems,
        at: judged.get(request)?.at ?? 0,
      }))
    },
    play(next) {
      model = next
      first = judged.size
      unseen = upstream.seen.length
    },
    close: () => upstream.close(),
  }
}

function idle(): ScriptedAnswer {
  return { text: 'no scenario has begun' }
}

interface Scene {
  readonly model: Model
  readonly number: number
  /** The number of the scenario's first request. */
  readonly first: number
  readonly rules: Rules
}

interface Judged {
  readonly turn: Turn
  readonly problems: readonly string[]
}

function judge(request: SeenRequest, { model, number, first, rules }: Scene): Judged {
  const problems = rules(request)
  if (problems.length > 0) return { turn: refusal(problems), problems }
  try {
    const said = model(request, number - first)
    return { turn: typeof said === 'function' ? said : answer(withIds(said, number)), problems }
  } catch (error) {
    const failure = [`the scenario's model failed: ${String(error)}`]
    return { turn: refusal(failure), problems: failure }
  }
}

function refusal(problems: readonly string[]): Turn {
  return refuse(400, { message: problems.join('; '), type: 'invalid_request_error', param: null, code: null })
}

/** Providers never give an id twice, so neither may a script. */
function withIds(said: ScriptedAnswer, number: number): ScriptedAnswer {
  if (said.calls === undefined) return said
  return { ...said, calls: said.calls.map((call, index) => ({ id: `call_e2e_${number}_${index}`, ...call })) }
}
