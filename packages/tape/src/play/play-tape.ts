import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tape, TapeProblem } from '../format/tape.ts'
import type { Miss } from '../match/explain-miss.ts'
import { Answers } from './answers.ts'
import { basePathOf } from './base-path.ts'
import type { PlayedRequest } from './played-request.ts'
import { Player, type PlayerOptions } from './player.ts'
import type { PlayedLeg, Recording } from './recording.ts'

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
  /** The recordings that were not asked for yet. */
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

/** Plays a tape on a loopback port: answers requests with what was recorded, and never calls a model. */
export async function playTape(tape: string | Tape, options: PlayOptions = {}): Promise<PlayedTape> {
  const answers = new Answers(tape, options)
  const player = new Player(answers, options)
  const server = createServer((request, response) => void player.answer(request, response))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const assertConsumed = (): void => answers.assertConsumed()
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
    url: origin + basePathOf(answers.recordings),
    origin,
    requests: answers.requests,
    problems: answers.problems,
    get misses() {
      return answers.misses
    },
    get unconsumed() {
      return answers.unconsumed
    },
    assertConsumed,
    stop,
    close,
    async [Symbol.asyncDispose]() {
      await stop()
      answers.dispose()
    },
  }
}
