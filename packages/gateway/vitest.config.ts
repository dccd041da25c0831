import { defineConfig } from 'vitest/config'
import { compiled } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    // Sockets need their time on a busy machine; nothing waits that long unless it hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of these tests wait for sockets and clocks, so more of them run at once than there are processors.
    maxWorkers: 3,
    env: compiled,
  },
})
