import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/** Whether a request was sent to this machine by its name: a web page that was given our address names its own. */
export function isForLoopback({ host }: IncomingHttpHeaders): boolean {
  return host === undefined || LOOPBACK.test(host)
}
