import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, verdictOn } from '../ask.ts'
import { CLIENTS } from '../clients.ts'
import type { Fault, Tally } from '../fault.ts'
import { chatEvent, chunked, CLOSING_HEAD } from '../golden.ts'
import { ANSWER } from '../golden-events.ts'
import { grownBy, leakedBy, startProxy } from '../proxy-process.ts'
import { type Behaviour, startUpstream } from '../scripted-upstream.ts'
import { inParallel, until } from '../until.ts'

const STALLED = 100
const TINY_PIECES = 500_000
const TINY_AT_ONCE = 10_000
/** What the kernel does not take for a client that does not read is the proxy's to hold back, in megabytes. */
const MAX_GROWTH = 64

const PIECE = chatEvent({ content: 'x'.repeat(1000) }).repeat(64)

const flood: Behaviour = async (socket) => {
  socket.write(CLOSING_HEAD)
  while (!socket.destroyed) {
    // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
    await new Promise((resolve) => {
      if (socket.write(PIECE)) setImmediate(resolve)
      else socket.once('drain', resolve).once('close', resolve)
    })
  }
}

const BEHAVIOURS = { flood, whole: (socket: Socket) => void socket.write(ANSWER) }

function requestFor(model: string): string {
  const body = JSON.stringify(CLIENTS[0]?.body(model, true))
  return `POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** So many clients in a row that do not do what clients do. */
function stalledClients(port: number, begin: (socket: Socket) => void): Socket[] {
  return Array.from({ length: STALLED }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    begin(socket)
    return socket
  })
}

/** Clients that work as they should meanwhile; gives how many of them did not get their answer. */
async function othersLost(port: number): Promise<number> {
  const verdicts = await inParallel(200, 8, async (index) => {
    const client = CLIENTS[index % CLIENTS.length] as (typeof CLIENTS)[number]
    return verdictOn(await ask({ port, client, model: 'whole' }), client)
  })
  return verdicts.filter((verdict) => verdict !== 'whole').length
}

/** What the inspector keeps on purpose is not measured: it has a bound of its own. */
async function stoppedReaders(): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, { inspector: false, timeouts: { client: 8000 } })
  await othersLost(proxy.port)
  const before = proxy.descriptors()
  const memory = await proxy.memory()
  const sockets = stalledClients(proxy.port, (socket) => {
    socket.pause()
    socket.write(requestFor('flood'))
  })
  await until(() => upstream.connections() >= STALLED)
  await sleep(1000)
  const grown = await grownBy(proxy, memory, MAX_GROWTH)
  const lost = await othersLost(proxy.port)
  // All of them are given up without a sign from the client.
  await until(() => upstream.connections() === 0, 60_000)
  const stuck = upstream.connections()
  if (stuck > 0) console.log(`  ${stuck} connections to the upstream for clients that do not read`)
  const leaked = await leakedBy(proxy, before)
  for (const socket of sockets) socket.destroy()
  await proxy.close()
  await upstream.close()
  return { tried: STALLED + 200, lies: 0, lost, leaked: leaked + stuck + grown }
}

async function slowWriters(): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, { timeouts: { firstByte: 3000 } })
  await othersLost(proxy.port)
  const before = proxy.descriptors()
  const request = requestFor('whole')
  let refused = 0
  const bodies = stalledClients(proxy.port, (socket) => {
    socket.write(request.slice(0, -20))
    socket.once('data', (bytes) => (refused += bytes.toString().startsWith('HTTP/1.1 408') ? 1 : 0))
  })
  const heads = stalledClients(proxy.port, (socket) => socket.write(request.slice(0, 10)))
  let at = 10
  const timer = setInterval(() => {
    for (const socket of heads) socket.write(request.charAt(at))
    at += 1
  }, 100)
  const lost = await othersLost(proxy.port)
  await until(() => refused === STALLED, 15_000)
  clearInterval(timer)
  for (const socket of [...heads, ...bodies]) socket.destroy()
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  return { tried: 2 * STALLED + 200, lies: 0, lost: lost + STALLED - refused, leaked }
}

/** Requests whose bodies come in chunks of one byte, each of which could be kept by itself. */
async function tinyPieces(): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, { inspector: false })
  await othersLost(proxy.port)
  const before = proxy.descriptors()
  const memory = await proxy.memory()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes.toString()))
  socket.write(
    'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const blanks = '1\r\n \r\n'.repeat(TINY_AT_ONCE)
  for (let sent = 0; sent < TINY_PIECES && !socket.destroyed; sent += TINY_AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
    if (!socket.write(blanks)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  const grown = await grownBy(proxy, memory, MAX_GROWTH)
  const body = JSON.stringify(CLIENTS[0]?.body('whole', true))
  socket.write(`${chunked(body)}0\r\n\r\n`)
  await until(() => answer.includes('message_stop'), 60_000)
  const lost = answer.includes('message_stop') ? 0 : 1
  socket.destroy()
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  return { tried: TINY_PIECES, lies: 0, lost, leaked: leaked + grown }
}

/** F5 and F6: clients that do not read, and clients that do not finish their requests. */
export const STALL_FAULTS: readonly Fault[] = [
  { name: 'F5 100 readers that stop, 200 others beside them', run: stoppedReaders },
  { name: 'F6 a body in 500,000 pieces of one byte', run: tinyPieces },
  { name: 'F6 100 slow heads, 100 slow bodies, 200 others', run: slowWriters },
]
