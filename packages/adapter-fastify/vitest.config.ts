import { defineConfig } from 'vitest/config'
import { compiled } from '../../vitest.shared.ts'

// Sockets and processes need their time on a busy machine; nothing waits that long unless it hangs.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000, env: compiled } })
