import type { Exchange, GatewayInspector, InspectedGateway } from '@hydra/gateway'
import { sendProblem } from '../serve/respond.ts'
import { LiveStore, type StoreLimits } from '../store/live-store.ts'
import type { SentRequest, AboutRequest, ToMember } from './messages.ts'
import { type Send, StoreCopier } from './store-copier.ts'
import { SilentReply } from '../serve/silent-reply.ts'

/** The longest body of a request to the inspector, in bytes. */
const MAX_BODY = 64 * 1024

interface Waiting {
  readonly exchange: Exchange
  readonly gateway: InspectedGateway
}

/** The inspector of one of several processes: it keeps its own exchanges, and another process shows those of all. */
export interface InspectorMember extends GatewayInspector {
  /** Hears what the other process says. */
  receive(message: ToMember): void
}

/** Makes the inspector of one of several processes; what it is given to send is for `InspectorHub.receive`. */
export function createInspectorMember(send: Send, limits: Partial<StoreLimits> = {}): InspectorMember {
  return new Member(send, new LiveStore(limits))
}

class Member implements InspectorMember {
  readonly traffic: LiveStore
  readonly #send: Send
  readonly #waiting = new Map<number, Waiting>()
  #copier: StoreCopier | undefined
  #count = 0

  constructor(send: Send, store: LiveStore) {
    this.#send = send
    this.traffic = store
  }

  async answer(exchange: Exchange, gateway: InspectedGateway): Promise<void> {
    this.#count += 1
    const id = this.#count
    const request = await sentRequest(exchange)
    if (request === undefined) return sendProblem(exchange, 400, 'the body cannot be read')
    const { guard, routes, models } = gateway
    exchange.reply.listener = {
      drained: () => this.#send({ type: 'drained', id }),
      gone: () => {
        this.#waiting.delete(id)
        this.#send({ type: 'gone', id })
      },
    }
    this.#waiting.set(id, { exchange, gateway })
    const sent = { routes, models, key: guard?.key?.reveal(), hosts: guard?.hosts }
    this.#send({ type: 'request', id, request, gateway: sent })
  }

  receive(message: ToMember): void {
    if (message.type === 'unwatch') return this.#unwatch()
    if (message.type !== 'watch') return this.#answerOn(message)
    this.#copier ??= new StoreCopier(this.traffic, this.#send)
  }

  close(): void {
    this.#unwatch()
    for (const { exchange } of this.#waiting.values()) exchange.reply.end()
    this.#waiting.clear()
  }

  #unwatch(): void {
    this.#copier?.stop()
    this.#copier = undefined
  }

  #answerOn(message: AboutRequest): void {
    if (message.type === 'ask') return void this.#ask(message)
    const { reply } = this.#waiting.get(message.id)?.exchange ?? {}
    if (reply === undefined) return
    if (message.type === 'head') reply.head(message.status, message.headers)
    else if (message.type === 'write') {
      if (reply.write(message.piece ?? '')) this.#send({ type: 'drained', id: message.id })
    } else {
      this.#waiting.delete(message.id)
      reply.end(message.piece)
    }
  }

  /** Sends a request again for a page whose own request waits here. */
  async #ask({ id, by, request, route }: AboutRequest & { readonly type: 'ask' }): Promise<void> {
    const { body, ...head } = request
    const reply = new SilentReply()
    const { gateway } = this.#waiting.get(by) ?? {}
    await gateway?.ask({ ...head, reply, readBody: async () => ({ bytes: body }) }, route)
    this.#send({ type: 'asked', id })
  }
}

async function sentRequest(exchange: Exchange): Promise<SentRequest | undefined> {
  const { method, path, query, headers } = exchange
  try {
    return { method, path, query, headers: { ...headers }, body: await bodyOf(exchange) }
  } catch {
    return undefined
  }
}

async function bodyOf(exchange: Exchange): Promise<Uint8Array> {
  if (exchange.method !== 'POST') return new Uint8Array()
  const body = await exchange.readBody(MAX_BODY)
  return 'value' in body ? new TextEncoder().encode(JSON.stringify(body.value)) : body.bytes
}
