import { expect, test } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

test.each([
  [{ 'retry-after': '2' }, '', 2],
  [{ 'retry-after': '1.5' }, '', 1.5],
  [{ 'retry-after': '0' }, '', 0],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, '', 0.25],
  [{ 'retry-after': '7' }, 'Please try again in 20s.', 7],
  [{}, 'Please try again in 1.5s.', 1.5],
  [{}, 'Please try again in 20ms. Visit', 0.02],
  [{}, 'Please try again in 6m0s.', 360],
  [{}, 'Please try again in 1h2m3.5s', 3723.5],
  [{}, 'Please retry in 48.939935699s.', 48.939935699],
  [{}, 'Please try again after 20 seconds.', 20],
  [{}, 'Please wait for 2 minutes', 120],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, '', undefined],
  [{ 'retry-after': '-1' }, '', undefined],
  [{ 'retry-after': '' }, '', undefined],
  [{}, 'Please retry shortly.', undefined],
  [{}, 'try again in 3 months', undefined],
])('%o and "%s" ask for a wait of %s seconds', (headers, message, seconds) => {
  expect(retryAfterOf(headers, message)).toBe(seconds)
})
