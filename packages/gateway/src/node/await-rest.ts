import type { IncomingMessage } from 'node:http'

/** How long the rest of a request may take to arrive after its answer, in milliseconds. */
const PATIENCE = 2000

/**
 * Closes the connection of a request that was answered before it was complete, unless its rest comes soon.
 * Closing at once would be too early: a client that still sends would lose the answer, and a body that merely
 * came in two pieces its connection.
 */
export function awaitRest(request: IncomingMessage): void {
  const look = (): void => {
    if (!request.complete) request.socket.destroy()
  }
  setTimeout(look, PATIENCE).unref()
}
