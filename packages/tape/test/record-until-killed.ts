import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createRedaction } from '../src/redact/redaction.ts'
import { createTapeRecorder } from '../src/write/tape-recorder.ts'
import type { ExchangeRecorder } from '../src/write/traffic.ts'
import { chunkOf, CHUNKS, requestOf, SESSIONS, STREAMS } from './killed-traffic.ts'

// A process that is killed does not come to write it down by itself.
flushCompileCache()

const recorder = createTapeRecorder({
  folder: process.argv[2] ?? '',
  redaction: createRedaction(),
  onProblem: (message) => writeSync(2, `${message}\n`),
  tool: 'test/1',
  policy: process.argv[3] === 'strict' ? 'strict' : 'lenient',
})
const isGathering = process.argv[3] !== 'strict'

interface Stream {
  readonly exchange: ExchangeRecorder
  readonly name: string
  sent: number
}

let begun = 0

function beginStream(): Stream {
  begun += 1
  const name = `stream-${begun}`
  const exchange = recorder.begin({ name: 'killed', session: `session-${begun % SESSIONS}` })
  if (exchange === undefined) throw new Error('nothing is recorded')
  const head = { method: 'POST', path: `/${name}`, headers: {} }
  exchange.clientRequest(head, requestOf(name))
  exchange.upstreamRequest(head, requestOf(name), { upstream: 'u', dialect: 'openai-chat' })
  exchange.upstreamHead(200, {})
  exchange.clientHead(200, {})
  return { exchange, name, sent: 0 }
}

/** Words whose lines may still be gathered. */
let waiting = ''

/** What is told here was written before: a kill in between loses the word and not the line. */
function acknowledge(word: string): void {
  waiting += `${word}\n`
  if (!isGathering) tellWaiting()
}

function tellWaiting(): void {
  if (isGathering) recorder.flush()
  if (waiting !== '') writeSync(1, waiting)
  waiting = ''
}

function go(stream: Stream): Stream {
  const { exchange, name } = stream
  const chunk = chunkOf(name, stream.sent)
  exchange.upstreamData(Buffer.from(chunk))
  exchange.clientData(chunk)
  stream.sent += 1
  acknowledge(`${name} ${stream.sent}`)
  if (stream.sent < CHUNKS) return stream
  exchange.upstreamEnd()
  exchange.clientEnd()
  exchange.done('answered')
  acknowledge(`${name} done`)
  return beginStream()
}

const streams = Array.from({ length: STREAMS }, beginStream)
let turns = 0
const turn = (): void => {
  for (const [index, stream] of streams.entries()) streams[index] = go(stream)
  turns += 1
  if (turns % 3 === 0) tellWaiting()
  setImmediate(turn)
}
turn()
