import { UsageError } from '@hydra/cli'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/

interface TargetOption {
  /** What the address was typed behind. */
  readonly option: string
  readonly mayBeRemote: boolean
}

/** Reads where requests are sent; another machine only if that was asked for, because a tape holds what people said. */
export function targetOf(typed: string, { option, mayBeRemote }: TargetOption): URL {
  const url = URL.parse(typed)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option}: expected a URL such as http://127.0.0.1:3456, got '${typed}'`)
  }
  if (LOOPBACK.test(url.hostname) || mayBeRemote) return url
  throw new UsageError(
    `${option}: ${url.hostname} is not this machine; --remote sends the recorded requests there`,
  )
}
