import { HubError } from '@hydra/core'
import { expect, test } from 'vitest'
import { send, type SendContext } from './send.ts'

interface Tries {
  readonly context: SendContext
  readonly pauses: number[]
  calls: number
}

/** A clock that only moves while somebody sleeps, and dice that always show the highest number. */
function tries(rest: Partial<SendContext> = {}): Tries {
  const pauses: number[] = []
  let now = 0
  const context: SendContext = {
    retries: { times: 2, budget: 60_000, pause: 500 },
    now: () => now,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds)
      now += milliseconds
    },
    onRetry: () => {},
    random: () => 1,
    ...rest,
  }
  return { context, pauses, calls: 0 }
}

function failing(tried: Tries, error: HubError): Promise<unknown> {
  return send(async () => {
    tried.calls += 1
    throw error
  }, tried.context)
}

const OVERLOADED = new HubError('overloaded_error', 'busy')

test('a call that works is made once', async () => {
  const { context, pauses } = tries()
  expect(await send(async () => 'answer', context)).toBe('answer')
  expect(pauses).toEqual([])
})

test('pauses double, and the last failure is thrown', async () => {
  let retried = 0
  const tried = tries({ onRetry: () => (retried += 1) })
  await expect(failing(tried, OVERLOADED)).rejects.toBe(OVERLOADED)
  expect(tried.calls).toBe(3)
  expect(retried).toBe(2)
  expect(tried.pauses).toEqual([500, 1000])
})

test('any part of a pause may be taken', async () => {
  const tried = tries({ random: () => 0.25 })
  await expect(failing(tried, OVERLOADED)).rejects.toBe(OVERLOADED)
  expect(tried.pauses).toEqual([125, 250])
})

test('the upstream’s own wish counts more', async () => {
  const tried = tries()
  const error = new HubError('rate_limit_error', 'slow', { retryAfter: 7 })
  await expect(failing(tried, error)).rejects.toBe(error)
  expect(tried.pauses).toEqual([7000, 7000])
})

test('all pauses together stay within the budget', async () => {
  const tried = tries()
  const error = new HubError('rate_limit_error', 'slow', { retryAfter: 40 })
  await expect(failing(tried, error)).rejects.toBe(error)
  expect(tried.pauses).toEqual([40_000])
})

test('a failure that is final is not tried again', async () => {
  const tried = tries()
  const error = new HubError('authentication_error', 'no')
  await expect(failing(tried, error)).rejects.toBe(error)
  expect(tried.calls).toBe(1)
  const refused = tries({ mayRetry: () => false })
  await expect(failing(refused, OVERLOADED)).rejects.toBe(OVERLOADED)
  expect(refused.calls).toBe(1)
})

test('nobody waits any more: the reason is thrown', async () => {
  const gone = new HubError('api_error', 'gone')
  const tried = tries({ sleep: () => Promise.reject(gone) })
  await expect(failing(tried, OVERLOADED)).rejects.toBe(gone)
  expect(tried.calls).toBe(1)
})
