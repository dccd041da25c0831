import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { ask, type Verdict, verdictOn } from '../ask.ts'
import { CLIENTS } from '../clients.ts'
import type { Fault, Tally } from '../fault.ts'
import { CHUNKED_HEAD, chunked } from '../golden.ts'
import { ANSWER, CHAT_EVENTS } from '../golden-events.ts'
import { grownBy, leakedBy, type ProxyOptions, type ProxyProcess, startProxy } from '../proxy-process.ts'
import { type ScriptedUpstream, startUpstream } from '../scripted-upstream.ts'
import { inParallel, until } from '../until.ts'

const CONNECTIONS = 5000
const REQUESTS = 50_000
/** What is left after a collection may differ by so many megabytes in a process that does the same all the time. */
const MAX_GROWTH = 24

/** The streams that wait for their end, which all get at once. */
let waiting: Socket[] = []

const BEHAVIOURS = {
  whole: (socket: Socket) => void socket.write(ANSWER),
  reset: (socket: Socket, at: number) =>
    void socket.write(ANSWER.slice(0, at), () => socket.resetAndDestroy()),
  wait: (socket: Socket) => {
    socket.write(CHUNKED_HEAD + CHAT_EVENTS.slice(0, 3).map(chunked).join(''))
    waiting.push(socket)
  },
}

const REST = `${CHAT_EVENTS.slice(3).map(chunked).join('')}0\r\n\r\n`

function clientOf(index: number): (typeof CLIENTS)[number] {
  return CLIENTS[index % CLIENTS.length] as (typeof CLIENTS)[number]
}

/** Streams that are all open at once; every second client leaves in the middle. */
async function streams(count: number): Promise<Tally> {
  return withProxy({}, async (proxy, upstream) => {
    const before = proxy.descriptors()
    waiting = []
    let left = 0
    const asked = inParallel(count, count, async (index) => {
      const client = clientOf(index)
      const leaves = index % 2 === 1
      const answer = await ask({
        port: proxy.port,
        client,
        model: 'wait',
        onFirst: (response) => {
          if (!leaves) return
          response.destroy()
          left += 1
        },
      })
      return leaves ? undefined : verdictOn(answer, client)
    })
    await until(() => waiting.length === count && left === Math.floor(count / 2), 180_000)
    // Those whose clients have left are closed by now, or soon.
    await until(() => upstream.connections() <= count - left, 60_000)
    const orphans = Math.max(0, upstream.connections() - (count - left))
    for (const socket of waiting) if (!socket.destroyed) socket.write(REST)
    const verdicts = (await asked).filter((verdict) => verdict !== undefined)
    return counted(count, verdicts, orphans + (await leakedBy(proxy, before)))
  })
}

/** Clients that connect, ask for the health and leave, as fast as they can. */
async function connectStorm(): Promise<Tally> {
  return withProxy({}, async (proxy) => {
    const before = proxy.descriptors()
    const answered = await inParallel(CONNECTIONS, 200, (index) => health(proxy.port, index % 2 === 1))
    const lost = answered.filter((isAnswered) => !isAnswered).length
    return { tried: CONNECTIONS, lies: 0, lost, leaked: await leakedBy(proxy, before) }
  })
}

function health(port: number, leaves: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('error', () => resolve(leaves))
    socket.on('close', () => resolve(leaves || received.startsWith('HTTP/1.1 200')))
    socket.on('data', (bytes) => (received += bytes.toString()))
    socket.on('connect', () => {
      if (leaves) socket.resetAndDestroy()
      else socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    })
  })
}

/**
 * The same mixture of requests again and again: memory and descriptors have to stay as they are. What the inspector
 * keeps on purpose has bounds and a test of its own, and fills up for longer than this takes.
 */
async function soak(): Promise<Tally> {
  return withProxy({ inspector: false }, async (proxy) => {
    const before = proxy.descriptors()
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const round = (from: number, count: number): Promise<Verdict[]> =>
      inParallel(count, 32, (index) => mixed(proxy.port, from + index, agent))
    const begun = await round(0, REQUESTS / 5)
    const memory = await proxy.memory()
    const rest = await round(begun.length, REQUESTS - begun.length)
    const grown = await grownBy(proxy, memory, MAX_GROWTH)
    agent.destroy()
    return counted(REQUESTS, [...begun, ...rest], grown + (await leakedBy(proxy, before)))
  })
}

/** One in ten fails in the middle, and one in ten is wanted whole. */
async function mixed(port: number, index: number, agent: Agent): Promise<Verdict> {
  const client = clientOf(index)
  if (index % 10 === 3) {
    // A stream that has failed takes its connection with it, and a request that waits for that one as well.
    const answer = await ask({ port, client, model: `reset-${(index * 37) % ANSWER.length}` })
    const verdict = verdictOn(answer, client)
    return verdict === 'failed' ? 'whole' : verdict
  }
  if (index % 10 === 7) {
    const { status, body } = await ask({ port, client, agent, model: 'whole', stream: false })
    return status === 200 && body.includes('Guten Tag') ? 'whole' : 'lost'
  }
  return verdictOn(await ask({ port, client, agent, model: 'whole' }), client)
}

function counted(tried: number, verdicts: readonly Verdict[], leaked: number): Tally {
  const lies = verdicts.filter((verdict) => verdict === 'lie').length
  const whole = verdicts.filter((verdict) => verdict === 'whole').length
  return { tried, lies, lost: verdicts.length - whole - lies, leaked }
}

async function withProxy(
  options: ProxyOptions,
  work: (proxy: ProxyProcess, upstream: ScriptedUpstream) => Promise<Tally>,
): Promise<Tally> {
  const upstream = await startUpstream(BEHAVIOURS)
  const proxy = await startProxy(upstream.url, options)
  // Code that has run once and connections that stay open count for what was there before.
  await inParallel(400, 8, (index) => ask({ port: proxy.port, client: clientOf(index), model: 'whole' }))
  await until(() => upstream.connections() === 0, 15_000)
  try {
    return await work(proxy, upstream)
  } finally {
    await proxy.close()
    await upstream.close()
  }
}

async function endWithStreams(count: number): Promise<Tally> {
  return withProxy({}, async (proxy) => {
    waiting = []
    const asked = inParallel(count, count, async (index) => {
      const client = clientOf(index)
      return verdictOn(await ask({ port: proxy.port, client, model: 'wait' }), client)
    })
    await until(() => waiting.length === count, 180_000)
    proxy.signal('SIGTERM')
    // One half finishes in time; the other half never does.
    for (const [index, socket] of waiting.entries()) if (index % 2 === 0) socket.write(REST)
    const verdicts = await asked
    const code = await proxy.ended
    const unsaid = verdicts.filter((verdict) => verdict === 'lost').length
    const whole = verdicts.filter((verdict) => verdict === 'whole').length
    return {
      tried: count,
      lies: verdicts.filter((verdict) => verdict === 'lie').length,
      lost: unsaid + Math.abs(whole - Math.ceil(count / 2)),
      leaked: code === 0 ? 0 : 1,
    }
  })
}

/** F21 and F22: many at once, for long, and an end in the middle of it. */
export const LOAD_FAULTS: readonly Fault[] = [
  { name: 'F21 SIGTERM with 1,000 streams under way', run: () => endWithStreams(1000) },
  { name: 'F22 1,000 streams, half of them aborted', run: () => streams(1000) },
  { name: 'F22 5,000 streams, half of them aborted', run: () => streams(5000) },
  { name: 'F22 5,000 connections as fast as they come', run: connectStorm },
  { name: 'F22 50,000 requests of all kinds', run: soak },
]
