import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { CHUNKED_HEAD, chunked, CLOSING_HEAD, EVENTS, FINISH, LAST_CHUNK, WHOLE_ANSWER } from './answers.ts'
import { closing, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, post, startProxy } from './proxy.ts'
import { scriptedUpstream, type Wire } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const CUTS = 200
const CONCURRENT = 20
const ERROR_EVENT = /^event: error\ndata: \{"type":"error","error":\{"type":"\w+","message":"[^\n]*"\}\}\n\n$/

/** What the client gets of the whole answer. */
let golden = ''

beforeAll(async () => {
  const upstream = await scriptedUpstream((wire) => wire.end(WHOLE_ANSWER))
  const proxy = await startProxy({ upstream: upstream.url })
  golden = await (await post(proxy)).text()
  await proxy.close()
  await upstream.close()
})

interface Cut {
  readonly at: number
  readonly status: number
  readonly body: string
}

/** Cuts the answer at places that are spread over its whole length. */
async function cutEverywhere(answer: string, cut: (wire: Wire) => void): Promise<Cut[]> {
  const bytes = Buffer.from(answer)
  const upstream = await opened(
    scriptedUpstream(async (wire, { headers }) => {
      await wire.write(bytes.subarray(0, Number(headers['x-at'])))
      // A reset overtakes what is still on its way; most of it shall arrive.
      await sleep(2)
      cut(wire)
    }),
  )
  const places = Array.from({ length: CUTS }, (_, index) => Math.round((index * bytes.length) / (CUTS - 1)))
  const cuts: Cut[] = []
  const next = async (): Promise<void> => {
    for (let at = places.pop(); at !== undefined; at = places.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- each worker has one call under way
      cuts.push(await callWith(upstream.url, at))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, next))
  return cuts
}

/** Each place has a gateway of its own, which tells the upstream where to cut. */
async function callWith(url: string, at: number): Promise<Cut> {
  const proxy = await startProxy({
    upstreams: { up: chatUpstream(url, { headers: { 'x-at': String(at) } }) },
  })
  try {
    const response = await post(proxy)
    return { at, status: response.status, body: await response.text() }
  } finally {
    await proxy.close()
  }
}

/** The longest part that two texts begin with. */
function commonLength(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return length
}

function expectGoldenPrefixAndError({ status, body, at }: Cut): void {
  if (status !== 200) {
    expect(status, `cut at ${at}`).toBeGreaterThanOrEqual(500)
    expect(JSON.parse(body), `cut at ${at}`).toMatchObject({ type: 'error', request_id: 'req_id' })
    return
  }
  const errorAt = body.lastIndexOf('event: error\n')
  expect(errorAt, `cut at ${at}: ${body}`).toBeGreaterThan(0)
  expect(golden.startsWith(body.slice(0, errorAt)), `cut at ${at}`).toBe(true)
  expect(body.slice(errorAt), `cut at ${at}`).toMatch(ERROR_EVENT)
}

function expectCleanEnd({ status, body, at }: Cut): void {
  expect(status, `cut at ${at}`).toBe(200)
  expect(body.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n'), `cut at ${at}`).toBe(true)
  // Only the usage may be missing, which the upstream tells last.
  expect(commonLength(golden, body), `cut at ${at}`).toBeGreaterThanOrEqual(
    golden.indexOf('event: message_delta'),
  )
  expect(body).not.toContain('event: error')
}

test('an answer that ends early is a golden prefix and one error, and ends cleanly only after its finish', async () => {
  const events = EVENTS.join('')
  const cuts = await cutEverywhere(CLOSING_HEAD + events, (wire) => wire.end())
  const finishAt = Buffer.byteLength(CLOSING_HEAD + events.slice(0, events.indexOf(FINISH) + FINISH.length))
  const early = cuts.filter(({ at }) => at < finishAt - 2)
  const late = cuts.filter(({ at }) => at >= finishAt)
  expect(early.length + late.length).toBeGreaterThan(CUTS - 5)
  expect(new Set(early.map(({ status }) => status === 200))).toEqual(new Set([true, false]))
  expect(late.length).toBeGreaterThan(10)
  for (const cut of early) expectGoldenPrefixAndError(cut)
  for (const cut of late) expectCleanEnd(cut)
})

test('a connection that is reset is a golden prefix and one error, never an end before the finish', async () => {
  const framed = EVENTS.map(chunked)
  const answer = CHUNKED_HEAD + framed.join('') + LAST_CHUNK
  const before = framed.slice(0, EVENTS.indexOf(FINISH)).join('')
  const finishAt = Buffer.byteLength(CHUNKED_HEAD + before)
  const cuts = await cutEverywhere(answer, (wire) => wire.reset())
  expect(cuts).toHaveLength(CUTS)
  expect(new Set(cuts.map(({ status }) => status === 200))).toEqual(new Set([true, false]))
  for (const cut of cuts) {
    // What a reset overtook is lost, so that a late one can still be an early cut.
    if (cut.at > finishAt && cut.body.includes('message_stop')) expectCleanEnd(cut)
    else expectGoldenPrefixAndError(cut)
  }
})

test('a reset after the finish is a clean end', async () => {
  const framed = EVENTS.slice(0, EVENTS.indexOf(FINISH) + 1).map(chunked)
  const upstream = await opened(
    scriptedUpstream(async (wire) => {
      await wire.write(CHUNKED_HEAD + framed.join(''))
      await sleep(50)
      wire.reset()
    }),
  )
  const proxy = await opened(startProxy({ upstream: upstream.url }))
  const response = await post(proxy)
  expectCleanEnd({ at: framed.length, status: response.status, body: await response.text() })
  expect(proxy.gateway.active).toBe(0)
})

test('the whole answer is the golden one, and its connection serves the next call', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(startProxy({ upstream: upstream.url }))
  for (let call = 0; call < 3; call += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one call after the other, over the same connection
    const response = await post(proxy)
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toBe(golden)
  }
  expect(upstream.wires).toHaveLength(1)
  expect(proxy.gateway.active).toBe(0)
})
