import { HubError } from '@hydra/core'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NOWHERE, type Watched, Watchdog } from './watchdog.ts'

class Waiting implements Watched {
  deadline: number
  place = NOWHERE
  readonly heard: unknown[] = []

  constructor(deadline: number) {
    this.deadline = deadline
  }

  expired(now: number): void {
    this.heard.push(now)
    this.deadline = Infinity
  }

  fail(error: HubError): void {
    this.heard.push(error)
  }
}

test('only those whose time has come are told, by the clock that was given', async () => {
  let clock = 0
  const watchdog = new Watchdog(() => clock)
  const soon = new Waiting(100)
  const late = new Waiting(200)
  watchdog.watch(soon)
  watchdog.watch(late)
  clock = 150
  await expect.poll(() => soon.heard).toEqual([150])
  expect(late.heard).toEqual([])
  watchdog.forget(soon)
  watchdog.forget(late)
})

test('what is forgotten is not called, and an idle watchdog has no timer', async () => {
  const watchdog = new Watchdog(() => 0)
  const waiting = new Waiting(-1)
  watchdog.watch(waiting)
  watchdog.watch(waiting)
  expect(watchdog.size).toBe(1)
  watchdog.forget(waiting)
  watchdog.forget(waiting)
  expect(watchdog.size).toBe(0)
  await sleep(300)
  expect(waiting.heard).toEqual([])
})

test('when all is over, those who come later are told at once', () => {
  const watchdog = new Watchdog(() => 0)
  const first = new Waiting(Infinity)
  watchdog.watch(first)
  const error = new HubError('overloaded_error', 'closing')
  watchdog.failAll(error)
  watchdog.forget(first)
  const second = new Waiting(Infinity)
  watchdog.watch(second)
  expect([first.heard, second.heard]).toEqual([[error], [error]])
  expect(watchdog.size).toBe(0)
})

test('where timers belong to requests, each that waits has one of its own', async () => {
  let clock = 0
  const watchdog = new Watchdog(() => clock, 'own')
  const soon = new Waiting(100)
  const gone = new Waiting(100)
  watchdog.watch(soon)
  watchdog.watch(gone)
  watchdog.forget(gone)
  clock = 150
  await expect.poll(() => soon.heard).toEqual([150])
  expect(gone.heard).toEqual([])
  watchdog.forget(soon)
  expect(watchdog.size).toBe(0)
})
