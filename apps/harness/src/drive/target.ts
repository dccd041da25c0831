import { UsageError } from '@hydra/cli'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/

/** Reads where requests are sent; another machine only if that was asked for, because a tape holds what people said. */
export function targetOf(typed: string | undefined, { mayBeRemote }: { readonly mayBeRemote: boolean }): URL {
  if (typed === undefined) throw new UsageError('drive: expected --to URL; see hydra-tape drive --help')
  const url = URL.parse(typed)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--to: expected a URL such as http://127.0.0.1:3456, got '${typed}'`)
  }
  if (LOOPBACK.test(url.hostname) || mayBeRemote) return url
  throw new UsageError(
    `--to: ${url.hostname} is not this machine; --remote sends the recorded requests there`,
  )
}
