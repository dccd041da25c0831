import { fileURLToPath } from 'node:url'

/** What holds for the tests of every package. */
export const shared = {
  // Tests share nothing but the modules they test: a fresh process for each file would take as long as the tests themselves.
  isolate: false,
  // Sockets, processes and properties need their time on a busy machine; nothing waits that long unless it hangs.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Programs that tests start find here what the ones before them have compiled: that is most of what a start costs.
  env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
}
