import { isReadableError, refusedAnswer, type UpstreamDialect, withoutSecrets } from '@hydra/core'
import { ErrorText } from './error-text.ts'
import { connectionError } from './failure.ts'
import type { Transport, UpstreamAnswer, UpstreamCall } from './transport.ts'

/** A call, and what it takes to understand its failure. */
export interface Sending {
  readonly call: UpstreamCall
  readonly dialect: UpstreamDialect
  /** The upstream's name, for messages. */
  readonly name: string
  /** The client speaks the upstream's dialect, and reads its errors itself. */
  readonly isRelayed?: boolean
}

/** Opens an answer with a status of success; everything else is thrown as the error for the client. */
export async function openAnswer(
  { call, dialect, name, isRelayed = false }: Sending,
  transport: Transport,
): Promise<UpstreamAnswer> {
  const answer = await connect(transport, call, name)
  const { status, headers } = answer
  const body = isReadableError(answer) ? await readText(answer) : ''
  const refusal = refusedAnswer({ status, headers: withSeconds(headers), body }, { dialect, name })
  if (refusal === undefined) return answer
  answer.abort()
  throw isRelayed ? refusal.withBody(withoutSecrets(body), status) : refusal
}

/** The answer to a call, whatever its status. */
export async function connect(
  transport: Transport,
  call: UpstreamCall,
  name: string,
): Promise<UpstreamAnswer> {
  try {
    return await transport.open(call)
  } catch (thrown) {
    throw connectionError(thrown, name)
  }
}

/** Reads the body of an error as far as it is of interest. */
function readText(answer: UpstreamAnswer): Promise<string> {
  const read = new ErrorText()
  return new Promise((resolve) => {
    const done = (): void => resolve(read.text)
    answer.listen({
      data(bytes) {
        read.push(bytes)
        if (read.isFull) done()
      },
      end: done,
      // What was read of a broken error is still the best explanation there is.
      error: done,
    })
  })
}

/** The decoders have no clock, so a `retry-after` that is a date becomes a number of seconds here. */
function withSeconds(headers: UpstreamAnswer['headers']): UpstreamAnswer['headers'] {
  const value = headers['retry-after']
  if (value === undefined || !/[a-z]/i.test(value)) return headers
  const seconds = Math.max(0, (Date.parse(value) - Date.now()) / 1000)
  return { ...headers, 'retry-after': Number.isNaN(seconds) ? undefined : String(seconds) }
}
