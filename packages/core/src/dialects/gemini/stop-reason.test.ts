import { expect, test } from 'vitest'
import { stopFor } from '../../hub/message.ts'
import { encodeStopReason } from './stop-reason.ts'

test.each(['soon', '__proto__', 'constructor'])('the unknown reason %s is an ordinary end', (reason) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reason of tomorrow
  const stop = { ...stopFor('end_turn'), stop_reason: reason as 'end_turn' }
  expect(encodeStopReason(stop)).toBe('STOP')
})
