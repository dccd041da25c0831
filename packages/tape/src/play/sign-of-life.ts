import { startUpCalls } from '@hydra/core'
import type { ServerResponse } from 'node:http'

/** What agents ask a proxy beside their conversation: whether it is there, and whether it wants to know how they are. */
const SIGNS_OF_LIFE: ReadonlySet<string> = new Set([
  'HEAD /',
  'GET /',
  'GET /health',
  ...startUpCalls.map(({ method, path }) => `${method} ${path}`),
])

/** Answers a request that no tape has because it is no part of a conversation; false for every other one. */
export function answerSignOfLife(method: string, path: string, response: ServerResponse): boolean {
  if (!SIGNS_OF_LIFE.has(`${method} ${path.split('?', 1)[0] ?? ''}`)) return false
  response.writeHead(200, { 'content-type': 'application/json' }).end(method === 'HEAD' ? undefined : '{}')
  return true
}
