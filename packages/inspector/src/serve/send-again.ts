import { headerOf } from '@hydra/core'
import type { Exchange, InspectedGateway } from '@hydra/gateway'
import type { LiveExchange } from '../store/live-exchange.ts'
import { sendJson, sendProblem } from './respond.ts'
import { SilentReply } from './silent-reply.ts'

/** A request that is to be sent again, and who is to answer it. */
export interface Repeated {
  readonly live: LiveExchange
  /** '' for the model that was asked for. */
  readonly model: string
  /** '' for the route that the request takes by itself. */
  readonly route: string
}

/** Says of a request which one it repeats; headers of this family never reach an upstream. */
const AGAIN_HEADER = 'x-hydra-again'

/** The id of the exchange whose request is sent again in another one. */
export function againOf({ request }: LiveExchange): string | undefined {
  const id = headerOf(request?.head.headers ?? {}, AGAIN_HEADER)
  return id !== undefined && /^[\w-]+$/.test(id) ? id : undefined
}

/** Sends a request again through the routes, with another model's name in it; both answers are in the list then. */
export async function sendAgain(
  exchange: Exchange,
  { live, model, route }: Repeated,
  gateway: InspectedGateway,
): Promise<void> {
  const { request } = live
  if (route !== '' && !gateway.routes.includes(route))
    return sendProblem(exchange, 400, 'there is no route of this name')
  if (request === undefined) return sendProblem(exchange, 404, 'this exchange is not kept any more')
  const sent = live.bodyOf(request)
  const body = model === '' ? sent : withModel(sent, model)
  if (body === undefined) {
    sendProblem(exchange, 400, 'the body of this request names no model that could be another one')
    return
  }
  const { method, path, headers } = request.head
  const [plainPath = path, query = ''] = path.split('?', 2)
  const reply = new SilentReply()
  const asked = {
    method,
    path: plainPath,
    query: query === '' ? '' : `?${query}`,
    headers: {
      ...headers,
      'content-length': String(body.length),
      'content-encoding': undefined,
      [AGAIN_HEADER]: againOf(live) ?? live.id,
    },
    reply,
    readBody: async () => ({ bytes: body }),
  }
  await gateway.ask(asked, route === '' ? undefined : route)
  sendJson(exchange, { sent: true })
}

function withModel(body: Uint8Array, model: string): Uint8Array | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    if (typeof value !== 'object' || value === null || !('model' in value)) return undefined
    return new TextEncoder().encode(JSON.stringify({ ...value, model }))
  } catch {
    return undefined
  }
}
