import { HubError } from '@hydra/core'
import { askServer } from '../client/ask-server.ts'
import type { GatewayContext } from '../context.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { turnAway } from '../exchange/turn-away.ts'
import type { GatewayInspector, InspectedGateway } from '../taping/inspector.ts'
import { answerFor } from './answer-for.ts'
import { modelNames } from './models.ts'

const NOT_FOR_CLIENTS = new HubError(
  'permission_error',
  'the inspector shows the exchanges of all clients, so it is not for one of them',
)

/** The inspector checks who may look by itself; a server's own check counts there too. */
export async function inspect<Native>(
  exchange: Exchange<Native>,
  inspector: GatewayInspector,
  context: GatewayContext<Native>,
): Promise<void> {
  const { guard, routes } = context.options
  const authorized = await askServer(exchange, context.options)
  if (authorized !== undefined) {
    const refusal = authorized instanceof HubError ? authorized : NOT_FOR_CLIENTS
    turnAway(refusal, { ...exchange, caller: context.router.find(exchange) }, context)
    return
  }
  const inspected: InspectedGateway = {
    guard,
    models: modelNames(context.options),
    routes: routes.map(({ name }) => name),
    async ask(request, route) {
      const asked = { ...request, native: exchange.native, caller: context.router.find(request) }
      await answerFor<Native>(asked.caller)(asked, route === undefined ? context : onlyRoute(context, route))
    },
  }
  await inspector.answer(exchange, inspected)
}

/** As if there were one route, and it were for everything. */
function onlyRoute<Native>(context: GatewayContext<Native>, wanted: string): GatewayContext<Native> {
  const { options } = context
  const routes = options.routes
    .filter(({ name }) => name === wanted)
    .map(({ match: _match, ...route }) => route)
  return { ...context, options: { ...options, routes } }
}
