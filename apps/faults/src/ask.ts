import { type Agent, type IncomingMessage, request } from 'node:http'
import type { Client } from './clients.ts'
import { GOLDEN } from './golden.ts'

/** What became of an exchange, as its client saw it. */
export interface Answer {
  /** 0 if there was none. */
  readonly status: number
  readonly body: string
  /** The connection broke before the answer was complete. */
  readonly isBroken: boolean
}

/** What is asked, and how. */
export interface Question {
  readonly port: number
  readonly client: Client
  readonly model: string
  readonly stream?: boolean
  readonly agent?: Agent
  /** Called when the first piece of the answer is there; may leave. */
  readonly onFirst?: (answer: IncomingMessage) => void
}

/** Asks the proxy as a client would. */
export function ask({ port, client, model, stream = true, agent, onFirst }: Question): Promise<Answer> {
  const body = JSON.stringify(client.body(model, stream))
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const path = client.path(model, stream)
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: agent ?? false })
    call.on('error', () => resolve({ status: 0, body: '', isBroken: true }))
    call.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.once('data', () => onFirst?.(answer))
      answer.on('data', (piece: string) => (text += piece))
      answer.on('error', () => {})
      answer.on('close', () =>
        resolve({ status: answer.statusCode ?? 0, body: text, isBroken: !answer.complete }),
      )
    })
    call.end(body)
  })
}

/** How an answer is to be judged. */
export type Verdict = 'whole' | 'failed' | 'lie' | 'lost'

/** Judges what a client got of a stream: whole with all of its words, failed and said so, or neither. */
export function verdictOn({ status, body, isBroken }: Answer, client: Client): Verdict {
  if (status === 0) return 'lost'
  if (status !== 200) return status >= 400 && body.includes('error') ? 'failed' : 'lie'
  const { text, isWhole, isFailed } = client.read(body)
  if (isWhole && isFailed) return 'lie'
  if (isWhole) return text === GOLDEN ? 'whole' : 'lie'
  // A connection that breaks is a sign as well, if not the best.
  return isFailed || isBroken ? 'failed' : 'lie'
}
