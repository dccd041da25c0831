import type { WireRequest } from '../match/canonical-request.ts'
import { type Answers, missFor } from './answers.ts'
import type { PlayerOptions } from './player.ts'
import { refusalOf } from './refusal.ts'
import { type WebAnswer, webAnswer } from './web-answer.ts'

/**
 * Answers a request of `fetch` from a tape. What no recording answers is refused in the words of its dialect; what the
 * recorded connection failed at is thrown as `fetch` throws it.
 */
export async function respond(
  request: Request,
  answers: Pick<Answers, 'find' | 'miss'>,
  { speed = 0, rechunk = 'as-recorded' }: Pick<PlayerOptions, 'speed' | 'rechunk'>,
): Promise<WebAnswer> {
  const asked = askedOf(request)
  const found = answers.find({ ...asked, body: new Uint8Array(await request.clone().arrayBuffer()) })
  const headers = Object.fromEntries(request.headers)
  if ('explanation' in found) {
    answers.miss(found)
    return inOnePiece(refusalOf(found, headers))
  }
  try {
    return await webAnswer(found, { speed, rechunk, arrival: performance.now() }, request.signal)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    const miss = missFor(asked, `exchange ${found.exchange} cannot be played: ${thrown.message}`)
    answers.miss(miss)
    return inOnePiece(refusalOf(miss, headers))
  }
}

function askedOf({ method, url }: Request): Pick<WireRequest, 'method' | 'path'> {
  const { pathname, search } = new URL(url)
  return { method, path: pathname + search }
}

function inOnePiece({ status, headers, body }: ReturnType<typeof refusalOf>): WebAnswer {
  return { status, headers: { ...headers }, body: new Blob([body]).stream() }
}
