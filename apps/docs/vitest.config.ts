import { defineConfig } from 'vitest/config'
import { compiled } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    // Real processes need their time on a busy machine; nothing waits that long unless it hangs.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // What is documented is tried several at a time: most of it is waiting for processes to start.
    maxConcurrency: 4,
    env: { FORCE_COLOR: '0', ...compiled },
  },
})
