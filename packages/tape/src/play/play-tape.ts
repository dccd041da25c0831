import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tape, TapeProblem } from '../format/tape.ts'
import { routeOf } from '../match/canonical-request.ts'
import type { OtherLeg } from '../match/entry.ts'
import type { Miss } from '../match/explain-miss.ts'
import { readTape } from '../read/read-tape.ts'
import { basePathOf } from './base-path.ts'
import { notConsumed } from './not-consumed.ts'
import type { PlayedRequest } from './played-request.ts'
import { Player, type PlayerOptions } from './player.ts'
import { type PlayedLeg, type Recording, recordingsOf } from './recording.ts'

/** How a tape is played. */
export interface PlayOptions extends PlayerOptions {
  /** Who is played: the upstreams (the default), or the proxy as its clients saw it. */
  readonly leg?: PlayedLeg
  /** The port of the loopback interface; by default any that is free. */
  readonly port?: number
}

/** A tape that is being played. */
export interface PlayedTape extends AsyncDisposable {
  /** The base URL as a client of the recorded dialect wants it. */
  readonly url: string
  /** The URL without a path. */
  readonly origin: string
  /** What was asked so far, and what answered it. */
  readonly requests: readonly PlayedRequest[]
  /** The requests that no recording answered. */
  readonly misses: readonly Miss[]
  /** The recordings that nobody asked for yet. */
  readonly unconsumed: readonly Pick<Recording, 'exchange' | 'call' | 'request'>[]
  /** What is wrong with the tape; what is readable is played. */
  readonly problems: readonly TapeProblem[]
  /** Throws unless every recording was asked for, and every request had one. */
  assertConsumed(): void
  /** Ends all connections, whatever they do, and does not look back. */
  stop(): Promise<void>
  /** Stops, then throws as `assertConsumed` does. */
  close(): Promise<void>
}

/** Plays a tape on a loopback port: answers requests with what was recorded, and never asks anybody else. */
export async function playTape(tape: string | Tape, options: PlayOptions = {}): Promise<PlayedTape> {
  const source = typeof tape === 'string' ? readTape(tape) : tape
  const { leg = 'upstream' } = options
  const recordings = recordingsOf(source, leg)
  const player = new Player({ recordings, otherLeg: otherLegOf(source, leg) }, options)
  const server = createServer((request, response) => void player.answer(request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const assertConsumed = (): void => {
    const { misses, unconsumed } = player
    const error = notConsumed({ folder: source.folder, problems: source.problems, misses, unconsumed })
    if (error !== undefined) throw error
  }
  const stop = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const close = async (): Promise<void> => {
    await stop()
    assertConsumed()
  }
  return {
    url: origin + basePathOf(recordings),
    origin,
    requests: player.requests,
    problems: source.problems,
    get misses() {
      return player.misses
    },
    get unconsumed() {
      return player.unconsumed
    },
    assertConsumed,
    stop,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function otherLegOf(tape: Tape, leg: PlayedLeg): OtherLeg {
  const name = leg === 'proxy' ? 'upstream' : 'proxy'
  return { name, routes: new Set(recordingsOf(tape, name).map(({ request }) => routeOf(request))) }
}
