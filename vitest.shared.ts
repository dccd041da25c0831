import { fileURLToPath } from 'node:url'

/** Programs that tests start find here what the ones before them have compiled: that is most of what a start costs. */
export const compiled: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
}
