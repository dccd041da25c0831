import { type Exchange, type InspectedGateway, Secret } from '@hydra/gateway'
import { createInspector, type Inspector, type InspectorOptions } from '../inspector.ts'
import type { FromMember, SentGateway, SentRequest, ToMember } from './messages.ts'
import { RelayedReply } from './relayed-reply.ts'
import { StoreMirror } from './store-mirror.ts'

/** How long somebody counts as looking after the last request of a page, in milliseconds. */
const LOOK_LASTS = 60_000

/** Speaks to a process. */
export type SendTo = (member: string, message: ToMember) => void

/** Shows the exchanges of several processes on one page. While nobody looks, they only keep their own. */
export interface InspectorHub {
  /** Another process takes part. */
  join(member: string): void
  /** Hears what a process says. */
  receive(member: string, message: FromMember): void
  /** A process has ended. */
  leave(member: string): void
  close(): void
}

/** Makes the part of the inspector that shows; each process that serves has an `InspectorMember`. */
export function createInspectorHub(options: InspectorOptions, send: SendTo): InspectorHub {
  return new Hub(options, send)
}

class Hub implements InspectorHub {
  readonly #inspector: Inspector
  readonly #send: SendTo
  readonly #members = new Set<string>()
  readonly #replies = new Map<string, RelayedReply>()
  readonly #asking = new Map<number, { readonly member: string; readonly asked: () => void }>()
  #mirror: StoreMirror | undefined
  #timer: NodeJS.Timeout | undefined
  #count = 0

  constructor(options: InspectorOptions, send: SendTo) {
    this.#inspector = createInspector({ ...options, onLook: () => this.#watch() })
    this.#send = send
  }

  join(member: string): void {
    this.#members.add(member)
    if (this.#mirror !== undefined) this.#send(member, { type: 'watch' })
  }

  leave(member: string): void {
    this.#members.delete(member)
    this.#mirror?.left(member)
    for (const [key, reply] of this.#replies) if (key.startsWith(`${member} `)) reply.gone()
    for (const { member: asked, asked: resolve } of this.#asking.values()) if (asked === member) resolve()
  }

  receive(member: string, message: FromMember): void {
    switch (message.type) {
      case 'begun':
        this.#mirror?.begun(member, message.exchanges)
        break
      case 'copy':
        this.#mirror?.copy(member, message.id, message.copy)
        break
      case 'forgotten':
        this.#mirror?.forgotten(member, message.id)
        break
      default:
        this.#hear(member, message)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#inspector.close()
    this.#unwatch()
  }

  #hear(member: string, message: FromMember & { readonly id: number }): void {
    const reply = this.#replies.get(`${member} ${message.id}`)
    if (message.type === 'request') void this.#answer(member, message)
    else if (message.type === 'asked') this.#asking.get(message.id)?.asked()
    else if (message.type === 'drained') reply?.drained()
    else reply?.gone()
  }

  async #answer(member: string, { id, request, gateway }: FromMember & { type: 'request' }): Promise<void> {
    const key = `${member} ${id}`
    const reply = new RelayedReply(
      (message) => this.#send(member, { ...message, id }),
      () => this.#over(key),
    )
    this.#replies.set(key, reply)
    const inspected = this.#gatewayOf(gateway, member, id)
    await this.#inspector.answer(exchangeOf(request, reply), inspected)
  }

  #over(key: string): void {
    this.#replies.delete(key)
    clearTimeout(this.#timer)
    if (this.#replies.size === 0) this.#timer = setTimeout(() => this.#unwatch(), LOOK_LASTS).unref()
  }

  /** Somebody looks who may. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#mirror !== undefined) return
    this.#mirror = new StoreMirror(this.#inspector.store, this.#members)
    for (const member of this.#members) this.#send(member, { type: 'watch' })
  }

  #unwatch(): void {
    if (this.#mirror === undefined) return
    this.#mirror.close()
    this.#mirror = undefined
    for (const member of this.#members) this.#send(member, { type: 'unwatch' })
  }

  #gatewayOf({ routes, models, key, hosts }: SentGateway, member: string, by: number): InspectedGateway {
    return {
      routes,
      models,
      guard: { hosts, key: key === undefined ? undefined : new Secret(key) },
      ask: async ({ method, path, query, headers, readBody }, route) => {
        const body = await readBody(Infinity)
        if ('value' in body) return
        await this.#ask(member, { by, request: { method, path, query, headers, body: body.bytes }, route })
      },
    }
  }

  #ask(member: string, asked: Pick<ToMember & { type: 'ask' }, 'by' | 'request' | 'route'>): Promise<void> {
    this.#count += 1
    const id = this.#count
    return new Promise((resolve) => {
      const onAsked = (): void => {
        this.#asking.delete(id)
        resolve()
      }
      this.#asking.set(id, { member, asked: onAsked })
      this.#send(member, { type: 'ask', id, ...asked })
    })
  }
}

function exchangeOf(request: SentRequest, reply: RelayedReply): Exchange {
  const { body, ...head } = request
  return { ...head, native: undefined, reply, readBody: async () => ({ bytes: body }) }
}
