import { defineConfig } from 'vitest/config'

// Most of these tests wait for sockets and clocks, so more of them run at once than there are processors.
export default defineConfig({ test: { maxWorkers: 3 } })
