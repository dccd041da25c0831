import type { GatewayContext } from '../context.ts'

/** Shows those who follow exchanges what they may look at between them. */
export function attachObservers<Native>({ options, breakers }: GatewayContext<Native>): void {
  const { upstreams, routes, observers = [] } = options
  const states = () => new Map([...breakers].map(([name, { state }]) => [name, state]))
  for (const observer of observers) observer.attach?.({ options: { upstreams, routes }, breakers: states })
}
