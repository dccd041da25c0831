import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    ...shared,
    // Most of these tests wait for sockets and clocks, so more of them run at once than there are processors.
    maxWorkers: 3,
  },
})
