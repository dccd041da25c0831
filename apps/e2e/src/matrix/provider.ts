import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import {
  type ClientDialect,
  type DialectName,
  type DecodedRequest,
  DialectRegistry,
  type HubRequest,
  plainCall,
  registry,
  Router,
} from '@hydra/core'

import { problemsOf } from './problems.ts'
import { type Answer, type Fault, writeAnswer } from './write-answer.ts'

/** Bytes come in pieces of this length, so that nothing is read well only because it came at once. */
const PIECE = 61

const CUT_MILLISECONDS = 30

/** A request that reached a provider. */
export interface Asked {
  readonly request: HubRequest
  /** The body as it came. */
  readonly raw: string
  /** When it came, in milliseconds on the process's clock. */
  readonly at: number
}

/** What a provider does with a request. */
export type Said = Answer | { readonly answer: Answer; readonly fault: Fault } | { readonly error: Refusal }

/** A refusal with a status. */
export type Refusal = Parameters<ClientDialect['encodeError']>[0]

/** A conversation that a provider has: it is known by a word in the user's prompt. */
export interface Conversation {
  readonly token: string
  /** The model that is configured for it. */
  readonly model: string
  readonly play: (asked: Asked, number: number) => Said
}

/** What a conversation has come to. */
export interface Played {
  readonly asked: readonly Asked[]
  /** The bodies of the answers. */
  readonly sent: readonly string[]
  /** What was wrong with the requests. */
  readonly problems: readonly string[]
}

/** A provider of one dialect on a socket, played by the client's side of that dialect. */
export interface Provider {
  readonly dialect: DialectName
  /** The base URL, with the version. */
  readonly url: string
  open(conversation: Conversation): Played
  close(): void
}

interface Open {
  readonly conversation: Conversation
  readonly asked: Asked[]
  readonly sent: string[]
  readonly problems: string[]
}

/** Starts a provider on a free port. */
export async function startProvider(dialect: DialectName): Promise<Provider> {
  const open: Open[] = []
  const one = registry.get(dialect)
  const router = new Router(new DialectRegistry(one === undefined ? [] : [one]))
  let answers = 0
  const server = createServer(async (incoming, response) => {
    const raw = await bodyOf(incoming)
    const session = open.find(({ conversation }) => raw.includes(conversation.token))
    answers += 1
    await answer({ dialect, router, incoming, response, raw, session, unique: String(answers) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    dialect,
    url: origin + (one?.upstream?.baseVersion ?? '/v1'),
    open(conversation) {
      const session = { conversation, asked: [], sent: [], problems: [] }
      open.push(session)
      return session
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Call {
  readonly dialect: DialectName
  readonly router: Router
  readonly incoming: IncomingMessage
  readonly response: ServerResponse
  readonly raw: string
  readonly session: Open | undefined
  readonly unique: string
}

async function answer(call: Call): Promise<void> {
  const { dialect, router, incoming, response, raw, session, unique } = call
  const { pathname: path, searchParams } = new URL(incoming.url ?? '/', 'http://provider')
  const { headers, method = '' } = incoming
  const { client, endpoint, params } = router.find({ method, path, headers })
  if (endpoint?.purpose !== 'generate' || session === undefined) {
    session?.problems.push(`nothing is at ${method} ${path}`)
    response.writeHead(404).end()
    return
  }
  try {
    const query = Object.fromEntries(searchParams)
    const known = { method, path, params, query, headers, newId: () => unique }
    const decoded = client.decodeRequest(plainCall(JSON.parse(raw), known))
    session.problems.push(
      ...problemsOf({ dialect, headers, raw, request: decoded.request, session: session.conversation }),
    )
    const asked = { request: decoded.request, raw, at: performance.now() }
    session.asked.push(asked)
    const said = session.conversation.play(asked, session.asked.length - 1)
    if ('error' in said) refuse(response, client, said.error)
    else session.sent.push(await send(response, client, { decoded, said, unique }))
  } catch (error) {
    session.problems.push(`${dialect}: ${String(error)}`)
    response.writeHead(400).end('{}')
  }
}

function refuse(response: ServerResponse, client: ClientDialect, error: Refusal): void {
  const { status, headers, body } = client.encodeError(error)
  response.writeHead(status, headers).end(body)
}

interface Sent {
  readonly decoded: DecodedRequest
  readonly said: Exclude<Said, { error: Refusal }>
  readonly unique: string
}

async function send(response: ServerResponse, client: ClientDialect, sent: Sent): Promise<string> {
  const { decoded, said, unique } = sent
  const [words, fault] = 'answer' in said ? [said.answer, said.fault] : [said, undefined]
  const { bytes, contentType } = writeAnswer(words, { client, decoded, unique, fault })
  response.writeHead(200, { 'content-type': contentType })
  for (let at = 0; at < bytes.length; at += PIECE) {
    response.write(bytes.subarray(at, at + PIECE))
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    await turn()
  }
  if (fault === undefined || fault.isClean) {
    response.end()
    return bytes.toString()
  }
  await sleep(CUT_MILLISECONDS)
  response.destroy()
  return bytes.toString()
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
