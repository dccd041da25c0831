import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { CHUNKED_HEAD, chunked, EVENTS, jsonAnswer, LAST_CHUNK, textEvent, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { post, startProxy } from './proxy.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()
afterEach(() => vi.restoreAllMocks())

const HOUR = 60 * 60 * 1000

/** Sets the wall clock to another time, as a machine does that wakes up or hears what time it really is. */
function jump(milliseconds: number): void {
  const now = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds)
}

const JUMPS = [HOUR, -HOUR]

test.each(JUMPS)('a stream goes on when the wall clock jumps by %i ms', async (by) => {
  const upstream = await opened(
    scriptedUpstream(async (wire) => {
      await wire.write(CHUNKED_HEAD + chunked(textEvent('Hello')))
      await sleep(50)
      jump(by)
      // The watchdog looks at its clock in between.
      await sleep(600)
      await wire.write(EVENTS.slice(-3).map(chunked).join('') + LAST_CHUNK)
    }),
  )
  const timeouts = { idle: 5000, firstByte: 5000, keepAlive: 5000 }
  const proxy = await opened(startProxy({ upstream: upstream.url, timeouts }))
  const text = await (await post(proxy)).text()
  expect(text).toContain('event: message_stop')
  expect(text).not.toContain('event: error')
  expect(text).not.toContain('event: ping')
  const [report] = proxy.reports
  expect(report?.duration).toBeGreaterThan(0)
  expect(report?.duration).toBeLessThan(HOUR / 2)
})

test.each(JUMPS)('silence is still given up when the wall clock jumps by %i ms', async (by) => {
  const upstream = await opened(
    scriptedUpstream(async (wire) => {
      await wire.write(CHUNKED_HEAD + chunked(textEvent('Hello')))
      jump(by)
    }),
  )
  const proxy = await opened(startProxy({ upstream: upstream.url, timeouts: { idle: 300 } }))
  expect(await (await post(proxy)).text()).toContain('silent for too long')
  await eventually(() => proxy.gateway.active === 0, 'nothing under way')
})

test.each(JUMPS)('a call is tried again when the wall clock jumps by %i ms', async (by) => {
  const upstream = await opened(
    scriptedUpstream((wire, _request, index) => {
      if (index > 0) return wire.write(WHOLE_ANSWER)
      jump(by)
      return wire.write(jsonAnswer(503, { error: { message: 'busy' } }))
    }),
  )
  const proxy = await opened(
    startProxy({ upstream: upstream.url, retries: { times: 1, budget: 5000, pause: 1 } }),
  )
  expect((await post(proxy)).status).toBe(200)
  expect(upstream.requests).toHaveLength(2)
})
