import { defineConfig } from 'vitest/config'

// Tests share nothing but the modules they test, so a fresh worker for each file would only cost time.
export default defineConfig({ test: { isolate: false } })
