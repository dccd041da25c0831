import { fileURLToPath } from 'node:url'

/** A small tape of two exchanges: a question, a call of a tool, its result, the answer. */
export const WEATHER: string = fileURLToPath(
  new URL('../../../packages/tape/example/tapes/weather', import.meta.url),
)
