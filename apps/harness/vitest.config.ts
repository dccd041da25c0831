import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Real processes need their time on a busy machine; nothing waits that long unless it hangs.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most of the time is spent waiting for them.
    maxWorkers: 4,
    env: { FORCE_COLOR: '0' },
  },
})
