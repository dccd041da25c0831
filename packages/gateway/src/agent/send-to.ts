import type { SendTurn } from '@hydra/agent'
import { anthropic, AnswerReader, type Note, type Notes, profiles } from '@hydra/core'
import type { Upstream } from '../options.ts'
import { addressOf } from '../upstream/address.ts'
import { connectionError } from '../upstream/failure.ts'
import { fetchTransport } from '../upstream/fetch-transport.ts'
import { callHeaders } from '../upstream/headers.ts'
import { hideSecrets } from '../upstream/hide-secrets.ts'
import { openAnswer } from '../upstream/open-answer.ts'
import type { UpstreamAnswer } from '../upstream/transport.ts'

/** Anything that answers web-standard requests, such as a gateway. */
export interface Fetching {
  fetch(request: Request): Promise<Response>
}

/** Where the turns of an agent go: the address of a Messages endpoint, a gateway, or a function that does it all. */
export type AgentTarget = string | Fetching | SendTurn

/** What goes along with every request to an address or a gateway. */
export type AgentAccess = Pick<Upstream, 'key' | 'headers'>

/** A gateway does not ask for the host of a request, but a request must have one. */
const IN_PROCESS = 'http://gateway.invalid'

/** Makes of a target the function that sends a turn and writes its answer. */
export function sendTo(target: AgentTarget, access: AgentAccess = {}): SendTurn {
  if (typeof target === 'function') return target
  const isAddress = typeof target === 'string'
  const upstream: Upstream = {
    dialect: anthropic.name,
    url: isAddress ? target : IN_PROCESS,
    profile: profiles.anthropic,
    ...access,
  }
  const transport = isAddress
    ? fetchTransport()
    : fetchTransport((url, init) => target.fetch(new Request(url, init)))
  const name = isAddress ? new URL(target).host : 'gateway'
  const dialect = anthropic.upstream
  return async (request, { sink, signal, notes }) => {
    const { model } = request
    const encoded = dialect.encodeRequest(request, { model, profile: profiles.anthropic })
    take(encoded.notes, notes)
    const call = {
      url: addressOf(upstream, encoded, dialect),
      headers: callHeaders(upstream, encoded),
      body: JSON.stringify(encoded.body),
      signal,
    }
    const messageId = `msg_${crypto.randomUUID().replaceAll('-', '')}`
    const hide = hideSecrets(upstream)
    const reader = new AnswerReader({ upstream: dialect, reply: encoded.reply, messageId, hide }, sink)
    try {
      await readAnswer(await openAnswer({ call, dialect, name }, transport), reader)
    } catch (thrown) {
      throw connectionError(thrown, name).hiding(hide)
    } finally {
      take(reader.notes, notes)
    }
  }
}

/** The reader tells an end from a cut; what comes after the end is not waited for. */
function readAnswer(answer: UpstreamAnswer, reader: AnswerReader): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.listen({
      data(bytes) {
        reader.push(bytes)
        if (!reader.ended) return
        answer.abort()
        resolve()
      },
      end() {
        reader.end()
        resolve()
      },
      error: reject,
    })
  })
}

function take(taken: readonly Note[], notes: Notes): void {
  for (const { code, path, message } of taken) notes.add(code, path, message)
}
