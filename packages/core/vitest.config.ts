import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    ...shared,
    // They compute and wait for nothing: vitest would leave one processor idle.
    maxWorkers: '100%',
  },
})
