import {
  anthropic,
  type AnswerOptions,
  type AnswerState,
  collectAnswer,
  type HubError,
  translateStream,
} from '@hydra/core'

/** An answer on its way to the client: bytes in, text out. */
export interface AnswerTranslation extends Pick<AnswerState, 'ended' | 'finished' | 'failure' | 'notes'> {
  push(bytes: Uint8Array): string
  end(): string
  fail(error: HubError): string
}

/** The translation of an answer that the client wants as a stream. */
export function streamed(options: AnswerOptions): AnswerTranslation {
  return translateStream({ ...options, client: anthropic.client })
}

/** The translation of an answer that the client wants as one body. */
export function whole(options: AnswerOptions): AnswerTranslation {
  const answer = collectAnswer(options)
  let isTaken = false
  const take = (): string => {
    if (answer.message === undefined || isTaken) return ''
    isTaken = true
    return JSON.stringify(anthropic.client.encodeResponse(answer.message))
  }
  return {
    push(bytes) {
      answer.push(bytes)
      return take()
    },
    end() {
      answer.end()
      return take()
    },
    fail(error) {
      answer.fail(error)
      return ''
    },
    get ended() {
      return answer.ended
    },
    get finished() {
      return answer.finished
    },
    get failure() {
      return answer.failure
    },
    get notes() {
      return answer.notes
    },
  }
}
