import { join } from 'node:path'
import { createTape, ExchangeWriter, playTape } from '@hydra/tape'
import { median } from '../measure.ts'
import type { Figure } from '../suite.ts'

const CHUNKS = 240

/** The gaps before the chunks of a stream in microseconds, as models leave them. */
const GAPS: readonly number[] = [4_000, 9_000, 15_000, 6_000, 28_000, 11_000]

const REQUEST = { method: 'POST', path: '/v1/chat/completions', headers: {}, body: '{"stream":true}' }

/** How far the gaps of a tape that is played with its own timing are from the recorded ones. */
export async function measureKeptGaps(folder: string): Promise<Figure> {
  const tape = join(folder, 'gaps')
  recordGaps(tape)
  const arrivals = await arrivalsOf(tape)
  const differences = arrivals.slice(1).map((at, index) => {
    const gap = (at - (arrivals[index] ?? 0)) * 1000
    return Math.abs(gap - gapBefore(index + 1)) / 1000
  })
  const largest = Math.max(...differences).toFixed(2)
  const detail = `median of ${differences.length} gaps at speed 1; the largest difference is ${largest} ms`
  return { name: 'playing, difference of a gap', value: median(differences), unit: 'ms', detail }
}

function gapBefore(chunk: number): number {
  return GAPS[chunk % GAPS.length] ?? 0
}

function recordGaps(folder: string): void {
  let at = Date.now() * 1000
  const writer = createTape({ folder, header: { tool: 'bench', redaction: 'none' }, started: at })
  const exchange = new ExchangeWriter(writer)
  exchange.request(at, 'c>', REQUEST)
  exchange.request(at, '>u', REQUEST)
  exchange.head(at, 'u>', { status: 200, headers: { 'content-type': 'text/event-stream' } })
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    at += gapBefore(chunk)
    exchange.data(at, 'u>', `data: {"chunk":${chunk}}\n\n`)
  }
  exchange.end(at, 'u>')
  exchange.done(at, 'answered')
  writer.close()
}

/** When each chunk came, in milliseconds. */
async function arrivalsOf(tape: string): Promise<readonly number[]> {
  await using upstream = await playTape(tape, { speed: 1 })
  const response = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: REQUEST.body })
  const arrivals: number[] = []
  for await (const bytes of response.body ?? []) {
    // Chunks that are late may come together.
    const events = Buffer.from(bytes).toString().split('\n\n').length - 1
    arrivals.push(...Array<number>(events).fill(performance.now()))
  }
  if (arrivals.length !== CHUNKS) throw new Error(`expected ${CHUNKS} chunks, got ${arrivals.length}`)
  return arrivals
}
