import { defineConfig } from 'vitest/config'
import { compiled } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    // Real processes need their time on a busy machine; nothing waits that long unless it hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of the time is spent waiting for them.
    maxWorkers: 4,
    env: { FORCE_COLOR: '0', ...compiled },
  },
})
