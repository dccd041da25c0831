import { gzipSync, brotliCompressSync, zstdCompressSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { type Answer, ask, type Verdict, verdictOn } from '../ask.ts'
import type { Client } from '../clients.ts'
import type { Fault, Tally } from '../fault.ts'
import { CHUNKED_HEAD, chunked, CLOSING_HEAD, WORDS } from '../golden.ts'
import { leakedBy, type ProxyOptions, startProxy } from '../proxy-process.ts'
import { type Behaviour, startUpstream } from '../scripted-upstream.ts'
import { inEach, OWN_SETTINGS, type Setting, SETTINGS, wayOf } from '../settings.ts'
import { inParallel } from '../until.ts'

const MEGABYTE = 1024 * 1024
const MANY_EVENTS = 10_000
const BOMB = gzipSync(Buffer.alloc(200 * MEGABYTE))

/** Sends the same piece again and again, as fast as it is read. */
function flood(head: string, piece: string, most = Infinity): Behaviour {
  return async (socket: Socket) => {
    socket.write(head)
    for (let sent = 0; sent < most && !socket.destroyed; sent += piece.length) {
      // oxlint-disable-next-line no-await-in-loop -- at the pace at which it is read
      await new Promise((resolve) => {
        if (socket.write(piece)) setImmediate(resolve)
        else socket.once('drain', resolve).once('close', resolve)
      })
    }
    socket.end()
  }
}

/** An answer that is packed though nobody asked for it. */
function packed(encoding: string, body: Buffer): Behaviour {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`
  return (socket) => void socket.write(Buffer.concat([Buffer.from(head), body]))
}

/** The shapes that a provider's answer takes here. */
function shapesOf({ events }: Client): Readonly<Record<string, Behaviour>> {
  const plain = Buffer.from(events.join(''))
  const firstWord = events.findIndex((event) => event.includes(WORDS[0] as string))
  const begun = events.slice(0, firstWord).join('')
  const word = events[firstWord] as string
  const empty = word.replace(WORDS[0] as string, '').repeat(MANY_EVENTS)
  const long = word.replace(WORDS[0] as string, 'x'.repeat(1000)).repeat(20)
  return {
    burst: (socket) =>
      void socket.write(
        `${CHUNKED_HEAD}${chunked(begun + empty + events.slice(firstWord).join(''))}0\r\n\r\n`,
      ),
    line: flood(CLOSING_HEAD, 'x'.repeat(1000), 20 * MEGABYTE),
    data: flood(CLOSING_HEAD, 'data: x\n'.repeat(125), 20 * MEGABYTE),
    stray: flood(CLOSING_HEAD, 'a\n'.repeat(500), 8 * MEGABYTE),
    json: flood('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"a":"', 'x'.repeat(1000), 20 * MEGABYTE),
    endless: flood(CLOSING_HEAD + begun, long),
    gzip: packed('gzip', gzipSync(plain)),
    br: packed('br', brotliCompressSync(plain)),
    zstd: packed('zstd', zstdCompressSync(plain)),
    doubled: packed('gzip, gzip', gzipSync(gzipSync(plain))),
    bomb: packed('gzip', BOMB),
    torn: packed('gzip', gzipSync(plain).subarray(0, 40)),
  }
}

interface Round {
  readonly kinds: readonly string[]
  readonly wanted: Verdict
  readonly stream?: boolean
  readonly options?: ProxyOptions
}

/** Has every client meet each of these answers. */
async function meet(setting: Setting, { kinds, wanted, stream = true, options }: Round): Promise<Tally> {
  const upstream = await startUpstream(shapesOf(setting.provider))
  const proxy = await startProxy(upstream.url, { ...setting.options, ...options })
  const before = proxy.descriptors()
  const cases = setting.clients.flatMap((client) => kinds.map((model) => ({ client, model })))
  const verdicts = await inParallel(cases.length, 4, async (index) => {
    const { client, model } = cases[index] as (typeof cases)[number]
    const answer: Answer = await ask({ port: proxy.port, client, model, stream })
    const verdict = stream ? verdictOn(answer, client) : verdictOnRefusal(answer)
    if (verdict !== wanted) console.log(`  ${verdict}: ${wayOf(setting, client)}, ${model}`)
    return verdict
  })
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  return {
    tried: cases.length,
    lies: verdicts.filter((verdict) => verdict === 'lie').length,
    lost: verdicts.filter((verdict) => verdict !== wanted && verdict !== 'lie').length,
    leaked,
  }
}

/** An answer that was wanted whole and never ends is refused, in words. */
function verdictOnRefusal({ status, isBroken }: Answer): Verdict {
  return status === 502 && !isBroken ? 'failed' : 'lie'
}

function meetIn(settings: readonly Setting[], round: Round): Promise<Tally> {
  return inEach(settings, (setting) => meet(setting, round))
}

const PACKED = ['gzip', 'br', 'zstd', 'doubled', 'bomb', 'torn']
const SMALL_ANSWERS = { limits: { answer: 8 * MEGABYTE } }

/** F4, F13 and F14: answers of shapes that nobody expects. */
export const SHAPE_FAULTS: readonly Fault[] = [
  {
    name: 'F4 10,000 events in one chunk, every pair',
    run: () => meetIn(SETTINGS, { kinds: ['burst'], wanted: 'whole' }),
  },
  {
    name: 'F13 lines, events and JSON without an end, in small pieces',
    run: () => meetIn(SETTINGS, { kinds: ['line', 'data', 'stray', 'json'], wanted: 'failed' }),
  },
  {
    name: 'F13 answers without an end, for clients that want them whole',
    run: () =>
      meetIn(OWN_SETTINGS, {
        kinds: ['endless', 'json'],
        wanted: 'failed',
        stream: false,
        options: SMALL_ANSWERS,
      }),
  },
  {
    name: 'F14 encodings that were not asked for, doubled, cut, bombs',
    run: () => meetIn(OWN_SETTINGS, { kinds: PACKED, wanted: 'failed' }),
  },
]
