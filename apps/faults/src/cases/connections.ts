import { connect, type Socket } from 'node:net'
import { ask, verdictOn } from '../ask.ts'
import { CLIENTS } from '../clients.ts'
import type { Fault, Tally } from '../fault.ts'
import { ANSWER } from '../golden-events.ts'
import { leakedBy, startProxy } from '../proxy-process.ts'
import { startUpstream } from '../scripted-upstream.ts'
import { inParallel, until } from '../until.ts'

const LOOPS = 1000
/** Few enough to run out of them, and enough for the proxy to start. */
const MAX_DESCRIPTORS = 80

const [CLIENT] = CLIENTS as [(typeof CLIENTS)[number]]

const BEHAVIOURS = {
  whole: (socket: Socket) => void socket.write(ANSWER),
  /** Closes a connection that it has said it would keep, at about the time of the next call. */
  stale: (socket: Socket, index: number) =>
    void socket.write(ANSWER, () => setTimeout(() => socket.end(), index % 4)),
}

async function staleSockets(): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, { retries: { times: 2, pause: 1 } })
  const before = proxy.descriptors()
  const verdicts = await inParallel(LOOPS, 1, async (index) =>
    verdictOn(await ask({ port: proxy.port, client: CLIENT, model: `stale-${index}` }), CLIENT),
  )
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  return {
    tried: LOOPS,
    lies: verdicts.filter((verdict) => verdict === 'lie').length,
    lost: verdicts.filter((verdict) => verdict === 'failed' || verdict === 'lost').length,
    leaked,
  }
}

async function withoutDescriptors(): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, { maxDescriptors: MAX_DESCRIPTORS })
  const before = proxy.descriptors()
  const sockets = Array.from({ length: 2 * MAX_DESCRIPTORS }, () => {
    const socket = connect(proxy.port, '127.0.0.1')
    socket.on('error', () => {})
    return socket
  })
  const isFull = await until(() => proxy.descriptors() >= MAX_DESCRIPTORS - 2, 5000)
  for (const socket of sockets) socket.destroy()
  await until(() => proxy.descriptors() <= before + 2)
  const verdicts = await inParallel(20, 1, async () =>
    verdictOn(await ask({ port: proxy.port, client: CLIENT, model: 'whole' }), CLIENT),
  )
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  const lost = verdicts.filter((verdict) => verdict !== 'whole').length + (isFull ? 0 : 1)
  return { tried: sockets.length + verdicts.length, lies: 0, lost, leaked }
}

/** F18 and F20: connections that are closed when they are used again, and a process that runs out of them. */
export const CONNECTION_FAULTS: readonly Fault[] = [
  { name: 'F18 kept connections that close as they are used', run: staleSockets },
  { name: 'F20 no descriptors left, and coming back', run: withoutDescriptors },
]
