import { unwatchFile, watchFile } from 'node:fs'
import { UsageError } from '@hydra/cli'
import type { Settings } from '../settings/read-settings.ts'

/** How settings are read again, and what is done with them. */
export interface ReloadingOptions {
  readonly file: string
  readonly read: () => Promise<Settings>
  readonly use: (settings: Settings) => Promise<void> | void
  readonly log: { info(this: void, message: string): void; problem(this: void, message: string): void }
}

/** Polling sees also files that are replaced as a whole, or behind links, as Kubernetes does it. */
const INTERVAL = 1000

/** Reads the configuration again when it changes or when it is told to; a bad one is refused, and the old one stays. */
export class Reloading {
  readonly #options: ReloadingOptions
  readonly #changed = (): void => void this.now()

  constructor(options: ReloadingOptions) {
    this.#options = options
    watchFile(options.file, { interval: INTERVAL, persistent: false }, this.#changed)
  }

  async now(): Promise<void> {
    const { file, read, use, log } = this.#options
    try {
      await use(await read())
      log.info(`the configuration was read again: ${file}`)
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown
      log.problem(`the configuration is not taken, the old one stays: ${thrown.message}`)
    }
  }

  close(): void {
    unwatchFile(this.#options.file, this.#changed)
  }
}

/** Watches the configuration, if there is one. Whoever closes a terminal means the end, as ever. */
export function reloadingOf(
  { configFile }: Settings,
  options: Omit<ReloadingOptions, 'file'>,
): Reloading | undefined {
  if (configFile === undefined || process.stdin.isTTY) return undefined
  return new Reloading({ file: configFile, ...options })
}
