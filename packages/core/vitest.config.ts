import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Tests share nothing but the modules they test, so a fresh worker for each file would only cost time.
    isolate: false,
    // They compute and wait for nothing: vitest would leave one processor idle.
    maxWorkers: '100%',
    // Properties and sweeps need their time on a busy machine.
    testTimeout: 60_000,
  },
})
