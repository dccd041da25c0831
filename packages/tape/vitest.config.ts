import { configDefaults, defineConfig } from 'vitest/config'
import { shared } from '../../vitest.shared.ts'

/** They put something in the place of `fetch` or of a package, which no other file may see. */
const REPLACING = ['test/msw/*.test.ts', 'test/use-tape/*.test.ts', 'src/test/*.test.ts']

export default defineConfig({
  test: {
    ...shared,
    // Most of these tests wait for sockets and clocks, so more of them run at once than there are processors.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'tape', exclude: [...configDefaults.exclude, ...REPLACING] } },
      { extends: true, test: { name: 'replacing', include: REPLACING, isolate: true } },
    ],
  },
})
