export type { TestTape, TestTapeOptions } from './open-test-tape.ts'
export { StaleTape } from './stale-tape.ts'
export { type TestContext, useTape } from './use-tape.ts'
