import { registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { CLIENTS, UPSTREAMS } from '../../bench/src/dialects/benched.ts'

test('every dialect of the registry is measured, on each side that it has', () => {
  expect(CLIENTS.map(({ name }) => name)).toEqual(registry.clients.map(({ name }) => name))
  expect(UPSTREAMS.map(({ name }) => name)).toEqual(registry.upstreams.map(({ name }) => name))
})
