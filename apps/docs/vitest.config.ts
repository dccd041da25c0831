import { defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

export default defineConfig({
  test: {
    ...shared,
    globalSetup: ['@hydra/release/bundle-for-tests'],
    testTimeout: 180_000,
    // What is documented is tried several at a time: most of it is waiting for processes to start.
    maxConcurrency: 4,
    env: { FORCE_COLOR: '0', ...shared.env },
  },
})
