import { fileURLToPath } from 'node:url'

/** Where Node keeps what it has compiled: the proxy and the agents are started hundreds of times. */
export const COMPILE_CACHE: Readonly<Record<'NODE_COMPILE_CACHE', string>> = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
}
