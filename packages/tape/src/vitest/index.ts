export type { TestTape, TestTapeOptions } from '../test/open-test-tape.ts'
export { StaleTape } from '../test/stale-tape.ts'
export { useTape } from './use-tape.ts'
