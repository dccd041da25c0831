import { createServer, type ServerResponse } from 'node:http'
import { UPSTREAMS } from '../dialects/benched.ts'
import { sentAt } from './delays.ts'

/** How the scripted upstream sends an answer. */
type Pace = (response: ServerResponse) => void

const [port, paceName = 'burst', count = '340', dialect = ''] = process.argv.slice(2)

const found = UPSTREAMS.find(({ name }) => name === dialect)
if (found === undefined) throw new Error(`no upstream speaks ${dialect}`)
const { benched } = found

const words = Array.from({ length: Number(count) }, (_, index) => ` word${index % 97}`)
const ANSWER = benched.text(words)
const EVENTS = [ANSWER.opening, ...ANSWER.events, ANSWER.closing]
const TOGETHER = Buffer.concat(EVENTS)
const WHOLE = benched.whole?.(words.join(''))

/**
 * All events without a pause, as one piece or as one each; an event every two milliseconds, or two in one piece every
 * four; ten in a second that say when they were sent.
 */
const PACES: Readonly<Record<string, Pace>> = {
  together: (response) => response.end(TOGETHER),
  burst: (response) => {
    for (const event of EVENTS) response.write(event)
    response.end()
  },
  flow: (response) => drip(response, (index) => ANSWER.events[index], 2),
  pairs: (response) =>
    drip(
      response,
      (index) => Buffer.concat(ANSWER.events.slice(index * 2, index * 2 + 2)),
      4,
      words.length / 2,
    ),
  timed: (response) => drip(response, () => benched.text([sentAt()]).events[0], 100),
  whole: (response) => response.end(WHOLE),
}

createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const contentType = paceName === 'whole' ? 'application/json' : benched.contentType
    response.writeHead(200, { 'content-type': contentType })
    PACES[paceName]?.(response)
  })
}).listen(Number(port), '127.0.0.1')

/** Sends one event after the other. */
function drip(
  response: ServerResponse,
  eventAt: (index: number) => Uint8Array | undefined,
  milliseconds: number,
  pieces: number = words.length,
): void {
  let next = -1
  response.write(ANSWER.opening)
  const timer = setInterval(() => {
    next += 1
    if (response.destroyed) {
      clearInterval(timer)
      return
    }
    if (next < pieces) {
      response.write(eventAt(next))
      return
    }
    clearInterval(timer)
    response.end(ANSWER.closing)
  }, milliseconds)
}
