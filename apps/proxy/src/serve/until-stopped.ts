import { constants } from 'node:os'

/** What signals do. */
export interface Stopping {
  /** Stops as the first one does. */
  readonly gone: AbortSignal
  /** The first one: let go what is under way. */
  readonly drain: () => Promise<void>
  /** The second one, just before the process ends. */
  readonly end?: () => void
  /** What SIGHUP does in place of stopping. */
  readonly reload?: (() => void) | undefined
}

/** Waits for a signal or until who started it is gone, then drains; a second signal ends at once. */
export function untilStopped({ gone, drain, end, reload }: Stopping): Promise<void> {
  return new Promise((resolve, reject) => {
    let isDraining = false
    const stop = (signal: NodeJS.Signals): void => {
      // A terminal that closes may say so several times.
      if (isDraining && signal === 'SIGHUP') return
      if (isDraining) {
        end?.()
        process.exit(128 + constants.signals[signal])
      }
      isDraining = true
      drain().then(resolve, reject)
    }
    const leave = (): void => void (isDraining || stop('SIGTERM'))
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave)
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    process.on('SIGHUP', reload ?? stop)
  })
}
