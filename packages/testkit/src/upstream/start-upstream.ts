import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { eventually } from '../eventually.ts'
import type { SeenRequest } from './seen-request.ts'
import { refuse, type Turn } from './turn.ts'
import { validateChatRequest } from './validate-chat-request.ts'
import { Wire } from './wire.ts'

/** One turn for every request, or one turn for each. */
export type Script = Turn | readonly Turn[]

/** A running upstream. */
export interface ScriptedUpstream {
  /** The base URL, such as a client of OpenAI is given. */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** How many connections are open. */
  readonly connections: number
  /** Waits until a request was seen: the first one is number 0. */
  request(number: number): Promise<SeenRequest>
  close(): Promise<void>
}

/** Starts an OpenAI-compatible upstream on a loopback port that refuses what real providers refuse. */
export async function startUpstream(script: Script): Promise<ScriptedUpstream> {
  const seen: SeenRequest[] = []
  const sockets = new Map<Socket, Promise<void>>()
  const server = createServer((request) => {
    const closed = sockets.get(request.socket) ?? Promise.resolve()
    void answerRequest(request, { script, seen, closed })
  })
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    sockets.set(socket, closed)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    get connections() {
      return sockets.size
    },
    request: (number) => eventually(() => seen[number], `request ${number} at the upstream`),
    async close() {
      for (const socket of sockets.keys()) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

interface Answering {
  readonly script: Script
  readonly seen: SeenRequest[]
  readonly closed: Promise<void>
}

/** Node only parses the request: the answer is written to the socket itself, so that each byte is ours. */
async function answerRequest(request: IncomingMessage, { script, seen, closed }: Answering): Promise<void> {
  const text = await readText(request)
  if (text === undefined) return
  const wire = new Wire(request.socket, closed)
  const record = new Seen(request, { text, wire, closed })
  const turn = turnFor(record, script, seen.length)
  seen.push(record)
  record.outcome = (await wire.play(turn(record))) ? 'answered' : wire.isCut ? 'cut' : 'abandoned'
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(piece as Buffer)
  } catch {
    return undefined
  }
  return Buffer.concat(pieces).toString()
}

function turnFor(request: SeenRequest, script: Script, number: number): Turn {
  const { problems } = request
  if (problems.length > 0) return refuse(400, invalid(problems.join('; ')))
  if (typeof script === 'function') return script
  return script[number] ?? refuse(400, invalid(`the script has no turn for request ${number}`))
}

function invalid(message: string): object {
  return { message, type: 'invalid_request_error', param: null, code: null }
}

class Seen implements SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: ChatCompletionCreateParams
  readonly problems: readonly string[]
  readonly closed: Promise<void>
  outcome: SeenRequest['outcome'] = 'answering'
  readonly #wire: Wire

  constructor(
    request: IncomingMessage,
    { text, wire, closed }: { text: string; wire: Wire; closed: Promise<void> },
  ) {
    const { method = '', url = '', headers } = request
    const value = parse(text)
    this.method = method
    this.path = url
    this.headers = headers
    this.text = text
    this.problems = [...routeProblems(method, url), ...validateChatRequest(value)]
    this.body = value as ChatCompletionCreateParams
    this.closed = closed
    this.#wire = wire
  }

  get sent(): number {
    return this.#wire.sent
  }
}

/** Its own, and that of requests which are passed on unchanged: they keep the path that they came in at. */
const PATHS: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/messages'])

function routeProblems(method: string, url: string): string[] {
  const isKnown = method === 'POST' && PATHS.has(url.split('?', 1)[0] ?? '')
  return isKnown ? [] : [`there is no ${method} ${url}`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
