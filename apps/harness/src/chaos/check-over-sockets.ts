import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HubError, type Profile } from '@hydra/core'
import { type PlayedAnswer, profileOf, uniquePart } from '@hydra/tape'
import { createGateway } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { repeatedHeaders } from '../drive/send-request.ts'
import { type CutUpstream, startCutUpstream } from './cut-upstream.ts'
import { hearAnswer } from './heard-answer.ts'
import { judgeCut, judgePassed, type Verdict } from './oracles.ts'
import { newRandom } from './random.ts'
import type { Subject } from './subject.ts'

/** The faults that are made on real connections. */
export type SocketFault = 'socket-cut' | 'socket-reset'

/** Which answers are broken, and where. */
export interface SocketOptions {
  readonly names: readonly SocketFault[]
  readonly seed: number
  readonly count: number
  readonly offset: number | undefined
  readonly signal: AbortSignal | undefined
}

/** One connection that broke, and what is wrong with what came of it. */
export interface SocketCheck {
  readonly name: SocketFault
  readonly subject: Subject
  readonly offset: number
  readonly verdict: Verdict
}

/** Breaks connections between a real upstream and a real gateway, at places that the seed draws. */
export async function* checkOverSockets(
  subjects: readonly Subject[],
  { names, seed, count, offset, signal }: SocketOptions,
): AsyncGenerator<SocketCheck> {
  const upstream = await startCutUpstream()
  try {
    const total = offset === undefined ? count : subjects.length * names.length
    for (let number = 0; number < total; number += 1) {
      if (signal?.aborted === true) return
      const name = names[number % names.length]
      const subject = subjects[Math.floor(number / names.length) % subjects.length]
      if (name === undefined || subject === undefined) return
      const at = offset ?? newRandom(seed, number).below(subject.bytes.length + 1)
      if (at > subject.bytes.length) continue
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      const played = await playOver(upstream, subject, { name, at })
      yield { name, subject, offset: at, verdict: judge(subject, played, at) }
    }
  } finally {
    await upstream.close()
  }
}

function judge(subject: Subject, played: PlayedAnswer, at: number): Verdict {
  // A connection that breaks before anything was passed on is told as an error of ours.
  const isPassed = subject.way === 'passed' && !played.isRefused
  return isPassed ? judgePassed(subject, played, at) : judgeCut(subject, played, at)
}

/** What a client gets from a gateway whose upstream breaks off. */
async function playOver(
  upstream: CutUpstream,
  subject: Subject,
  { name, at }: { readonly name: SocketFault; readonly at: number },
): Promise<PlayedAnswer> {
  upstream.answer = {
    bytes: subject.bytes.subarray(0, at),
    status: subject.taped.answer.status ?? 200,
    contentType: subject.taped.answer.headers['content-type'] ?? 'text/event-stream',
    by: name === 'socket-cut' ? 'close' : 'reset',
  }
  const server = await startGateway(upstream.url, subject)
  try {
    const { method, path, headers, body } = subject.request
    const response = await fetch(server.url + path, {
      method,
      headers: { ...repeatedHeaders(headers), 'content-type': 'application/json' },
      body: Buffer.from(body),
    })
    return await readAnswer(response, subject)
  } finally {
    await server.close()
  }
}

async function startGateway(
  url: string,
  { via, client, memory }: Subject,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const gateway = createGateway({
    transport: undiciTransport(),
    upstreams: { [via.upstream]: { dialect: via.dialect, url, profile: profileOf(via) as Profile } },
    routes: [
      {
        name: 'all',
        upstream: via.upstream,
        ...(via.passthrough === true ? { passthrough: true } : { model: via.model, spoof: via.toldModel }),
      },
    ],
    retries: { times: 0 },
    newId: () => uniquePart(via.messageId ?? 'replayed', client),
    memory,
  })
  const server = createServer((request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await gateway.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readAnswer(
  response: Response,
  { way, isStream, taped, dialect }: Subject,
): Promise<PlayedAnswer> {
  const { text, isBroken } = await readText(response)
  if (way === 'passed' && response.status === taped.answer.status) {
    const isFailed = isBroken || (response.ok && hearAnswer(text, dialect)?.ended === 'failed')
    return { text, failure: undefined, isRefused: false, ended: isFailed ? 'failed' : 'clean' }
  }
  if (response.status !== 200) {
    const failure = new HubError('api_error', text, { status: response.status })
    return { text: '', failure, isRefused: true, ended: 'failed' }
  }
  const sent = { text, failure: undefined, isRefused: false }
  if (!isStream) return { ...sent, ended: 'clean' }
  const ended = hearAnswer(text, dialect)?.ended ?? 'open'
  return { ...sent, ended: way === 'relayed' ? endOfRelayed(ended, isBroken) : ended }
}

/** What is relayed has no end but the upstream's own, and breaks off where that does. */
function endOfRelayed(heard: PlayedAnswer['ended'], isBroken: boolean): PlayedAnswer['ended'] {
  return isBroken || heard === 'failed' ? 'failed' : 'clean'
}

/** What came is looked at even if the connection breaks after it. */
async function readText(response: Response): Promise<{ readonly text: string; readonly isBroken: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of response.body ?? [])
      text += decoder.decode(piece as Uint8Array, { stream: true })
    return { text, isBroken: false }
  } catch {
    // The gateway breaks off after an error, and the text of a translated answer ends with that error.
    return { text, isBroken: true }
  }
}
