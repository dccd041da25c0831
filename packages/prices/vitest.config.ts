import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Tests share nothing but the modules they test, so a fresh worker for each file would only cost time.
    isolate: false,
  },
})
