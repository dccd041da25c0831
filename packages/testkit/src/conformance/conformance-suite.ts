import { describe } from 'vitest'
import { abortTests, earlyAbortTests } from './aborts.ts'
import type { Bind } from './bind.ts'
import { closingTests } from './closing.ts'
import { dialectTests } from './dialects.ts'
import { endpointTests, modelTests, otherEndpointTests, smallEndpointTests } from './endpoints.ts'
import { brokenStreamTests, refusalTests } from './errors.ts'
import { hookTests, reportTests } from './hooks.ts'
import { mountingTests } from './mounting.ts'
import { packedRequestTests } from './packed.ts'
import { passingTests } from './passing.ts'
import { recordingTests } from './recording.ts'
import { badRequestTests, bigRequestTests } from './requests.ts'
import { sdkErrorTests, sdkTests } from './sdk.ts'
import { contentTests, paceTests, streamTests } from './streams.ts'
import { webSocketTests } from './web-sockets.ts'

const PARTS = [
  endpointTests,
  smallEndpointTests,
  modelTests,
  otherEndpointTests,
  dialectTests,
  badRequestTests,
  bigRequestTests,
  packedRequestTests,
  webSocketTests,
  streamTests,
  contentTests,
  paceTests,
  refusalTests,
  brokenStreamTests,
  abortTests,
  earlyAbortTests,
  hookTests,
  reportTests,
  passingTests,
  recordingTests,
  mountingTests,
  closingTests,
  sdkTests,
  sdkErrorTests,
] as const

/** Longer than anything in a test waits, so that a failure says what it waited for. */
const TIMEOUT = 30_000

/** Registers the tests that every adapter passes, over real sockets. */
export function conformanceSuite(name: string, bind: Bind): void {
  describe(name, { timeout: TIMEOUT }, () => {
    for (const register of PARTS) register(bind)
  })
}
