import { once } from 'node:events'
import type { Server } from 'node:http'

const INTERVAL = 20

/**
 * Waits until a server that is closing is closed. Clients keep their connections for a while after the last answer;
 * Node lets those go that are idle when it begins to close, and this also lets go those that become idle later.
 */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  const timer = setInterval(() => server.closeIdleConnections(), INTERVAL)
  try {
    await closed
  } finally {
    clearInterval(timer)
  }
}
