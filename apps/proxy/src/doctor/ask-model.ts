import {
  AnswerReader,
  type Dialect,
  type HubError,
  type HubRequest,
  plainReply,
  registry,
  type UpstreamDialect,
} from '@hydra/core'
import type { Secret } from '@hydra/gateway'
import { bad, type Finding, good, odd, waiting } from './finding.ts'
import { PieceCounter } from './piece-counter.ts'

/** Where and under which name a model is asked. */
export interface Asked {
  readonly url: string
  readonly model: string
  readonly key: Secret | undefined
  /** What to do about a status of the upstream, if more is known. */
  readonly advise?: (status: number) => Promise<string | undefined>
}

const QUESTION = 'Count from 1 to 20, with spaces between the numbers. Say nothing else.'

/** Asks a model something small and then for a call of a tool, and says how the answers came. */
export async function* askModel(asked: Asked, name: string): AsyncGenerator<Finding> {
  const begun = performance.now()
  const upstream = ownDialect()
  try {
    const response = await ask(question(asked.model), asked, upstream)
    if (!response.ok) {
      yield await refusal(name, await errorOf(response, upstream), asked.advise)
      return
    }
    const heard = await listen(response, upstream, begun)
    yield* judge(heard, name)
    if (heard.failure !== undefined || heard.firstToken === undefined) return
    yield waiting(`${name}: waiting for a call of a tool`)
    const called = await ask(toolQuestion(asked.model), asked, upstream)
    yield called.ok
      ? judgeCall(await listen(called, upstream, begun), name)
      : odd(
          `${name}: it refuses requests with tools, which agents need: ${(await errorOf(called, upstream)).message}`,
        )
  } catch {
    yield bad(`${name}: the answer broke off; see docs/troubleshooting.md`)
  }
}

function ask(request: HubRequest, { url, model, key }: Asked, upstream: UpstreamDialect): Promise<Response> {
  const { path, query, headers, body } = upstream.encodeRequest(request, {
    model,
    profile: upstream.defaultProfile,
  })
  const address = `${url}${upstream.baseVersion ?? ''}${path}${query === '' ? '' : `?${query}`}`
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, 'x-hydra-key': key?.reveal() ?? 'none' },
    body: JSON.stringify(body),
  })
}

/** The first dialect that we speak on both sides: asked as a client, and the answer is read as an upstream's. */
function ownDialect(): UpstreamDialect {
  const { upstream } = registry.all.find(hasBothSides) ?? {}
  if (upstream === undefined) throw new Error('no dialect of the registry has both sides')
  return upstream
}

function hasBothSides({ client, upstream }: Dialect): boolean {
  return client !== undefined && upstream !== undefined
}

function question(model: string): HubRequest {
  return { model, max_tokens: 1024, stream: true, messages: [{ role: 'user', content: QUESTION }] }
}

function toolQuestion(model: string): HubRequest {
  const schema = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
  const tools = [{ name: 'get_weather', description: 'The weather in a city.', input_schema: schema }]
  const content = 'What is the weather in Paris? Use the tool get_weather.'
  return { model, max_tokens: 1024, stream: true, tools, messages: [{ role: 'user', content }] }
}

async function errorOf(response: Response, upstream: UpstreamDialect): Promise<HubError> {
  const { status, headers } = response
  const body = await response.text()
  return upstream.decodeError({ status, headers: Object.fromEntries(headers), body })
}

async function refusal(name: string, error: HubError, advise: Asked['advise']): Promise<Finding> {
  const { status, kind, message } = error
  const special = await advise?.(status)
  // Some end their sentence, some do not.
  const sentence = message.trim().replace(/[.;:,]+$/, '')
  // One that asks what to look at is followed by no second question.
  const asks = sentence.endsWith('?')
  const advice = special ?? ADVICE[status] ?? (asks ? LOOK : `Is the server running? ${LOOK}`)
  return bad(`${name}: ${status} ${kind}: ${sentence}${/[?!]$/.test(sentence) ? '' : '.'} ${advice}`)
}

const LOOK = 'Check its address.'

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The provider refuses the request: is --provider right?',
  401: 'Check the key.',
  402: 'Check your account with the provider.',
  403: 'Check the key, and whether it may use this model.',
  404: 'Check --model and --target-url.',
  429: 'The provider limits the rate: wait, or use another model.',
  500: 'The server itself failed: what it logs says why, or try again later.',
  503: 'The server takes no requests at the moment: try again later.',
}

/** What came of an answer. */
interface Heard {
  /** When the first words came, in milliseconds since the question. */
  readonly firstToken: number | undefined
  readonly pieces: number
  readonly calls: number
  /** Why it did not come to its end. */
  readonly failure: HubError | undefined
}

async function listen(response: Response, upstream: UpstreamDialect, begun: number): Promise<Heard> {
  const counter = new PieceCounter()
  const reply = plainReply('', upstream.defaultProfile)
  const reader = new AnswerReader({ upstream, reply, messageId: 'doctor' }, counter)
  let firstToken: number | undefined
  for await (const bytes of response.body ?? []) {
    reader.push(bytes)
    if (counter.pieces > 0) firstToken ??= performance.now() - begun
  }
  reader.end()
  return { firstToken, pieces: counter.pieces, calls: counter.calls, failure: reader.failure }
}

function judgeCall({ calls, failure }: Heard, name: string): Finding {
  if (failure !== undefined) return bad(`${name}: with a tool, the answer broke off: ${failure.message}`)
  return calls > 0
    ? good(`${name}: it calls tools`)
    : odd(
        `${name}: asked for the call of a tool, it answers with words; agents need a model that calls tools`,
      )
}

function* judge({ firstToken, pieces, failure }: Heard, name: string): Generator<Finding> {
  if (failure !== undefined) {
    yield bad(`${name}: the answer broke off: ${failure.message}`)
    return
  }
  if (firstToken === undefined) {
    yield odd(`${name}: it answers, but with no text; see docs/troubleshooting.md`)
    return
  }
  yield good(`${name}: it answers; the first token came after ${(firstToken / 1000).toFixed(2)} s`)
  yield pieces > 1
    ? good(`${name}: it streams, and the answer came to its end`)
    : odd(`${name}: the answer came in one piece; does something in between collect it?`)
}
