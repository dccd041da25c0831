import { startUpCalls } from '@hydra/core'
import type { StartedProxy } from '@hydra/proxy/start-proxy'
import {
  Answers,
  askedEndpoint,
  type AnswersOptions,
  type Recording,
  refusalOf,
  type ServedFetch,
  serveFetch,
  type Tape,
  webAnswer,
} from '@hydra/tape'

/** What an agent is run against. */
export interface FrontOptions extends Pick<AnswersOptions, 'normalize'> {
  /** The folder that the agent works in. */
  readonly workspace: string
  readonly speed?: number
  /** The proxy that answers what is not on the tape; without one that is a miss. */
  readonly live?: Pick<StartedProxy, 'url' | 'key'>
  /** Hears of each request that the tape answers. */
  readonly onReplay?: (recording: Recording, came: CameRequest) => void
}

/** A request as it came. */
export interface CameRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A tape that plays the model of an agent, and the answers that it gave. */
export interface Front extends ServedFetch {
  readonly answers: Answers
}

const SIGNS_OF_LIFE = new Set([
  'HEAD /',
  'GET /',
  'GET /health',
  ...startUpCalls.map(({ method, path }) => `${method} ${path}`),
])

/** Serves a tape to an agent: what is recorded is replayed, and a live model may answer the rest. */
export async function startFront(tape: Tape, options: FrontOptions): Promise<Front> {
  const { workspace, normalize, live } = options
  const answers = new Answers(tape, {
    leg: 'proxy',
    folder: workspace,
    ...(normalize && { normalize }),
  })
  const answer: typeof fetch = (input, init) =>
    answerRequest(new Request(input, init), { answers, options, tape })
  const served = await serveFetch(live?.url ?? 'http://127.0.0.1', answer)
  return { ...served, answers }
}

interface Answering {
  readonly answers: Answers
  readonly options: FrontOptions
  readonly tape: Tape
}

async function answerRequest(request: Request, { answers, options, tape }: Answering): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = new Uint8Array(await request.clone().arrayBuffer())
  const headers = Object.fromEntries(request.headers)
  const came = { method: request.method, path: pathname + search, headers, body }
  const found = answers.find(came)
  if (!('explanation' in found)) {
    options.onReplay?.(found, came)
    const pace = { speed: options.speed ?? 0, rechunk: 'as-recorded' as const, arrival: performance.now() }
    const played = await webAnswer(found, pace, request.signal)
    return new Response(played.body, { status: played.status, headers: played.headers })
  }
  if (options.live !== undefined) return fetch(liveRequest(request, options.live))
  if (request.method === 'GET' && pathname.endsWith('/models')) return Response.json(modelsOf(tape))
  if (SIGNS_OF_LIFE.has(`${request.method} ${pathname}`)) return Response.json({})
  answers.miss(found)
  const refusal = refusalOf(found, headers)
  return new Response(refusal.body, { status: refusal.status, headers: { ...refusal.headers } })
}

function liveRequest(request: Request, { url, key }: NonNullable<FrontOptions['live']>): Request {
  const { pathname, search } = new URL(request.url)
  const copy = new Request(new URL(pathname + search, url), request)
  if (key !== undefined) copy.headers.set('authorization', `Bearer ${key.reveal()}`)
  return copy
}

/** The models that the recorded client asked for: agents that need a name take the first one. */
function modelsOf({ exchanges }: Tape): object {
  const names = exchanges.flatMap(({ request }) => {
    const asked = request && askedEndpoint(request.path)
    if (request === undefined || asked === undefined) return []
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(request.body))
      const { model } = asked.client.routedParts({ body: value, params: asked.params })
      return typeof model === 'string' ? [model] : []
    } catch {
      return []
    }
  })
  return { object: 'list', data: [...new Set(names)].map((id) => ({ id, object: 'model', type: 'model' })) }
}
