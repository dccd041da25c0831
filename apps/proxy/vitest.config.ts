import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['@hydra/release/bundle-for-tests'],
    setupFiles: ['test/setup.ts'],
    // Most of the time is spent waiting for the programs that they start.
    maxWorkers: 4,
    env: { FORCE_COLOR: '0', ...shared.env },
  },
})
