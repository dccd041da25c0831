import { constants } from 'node:os'

/** What signals do. */
export interface Stopping {
  /** The first one: let go what is under way. */
  readonly drain: () => Promise<void>
  /** The second one, just before the process ends. */
  readonly end?: () => void
}

/** Waits for a signal, then drains; a second signal ends at once. */
export function untilStopped({ drain, end }: Stopping): Promise<void> {
  return new Promise((resolve, reject) => {
    let isDraining = false
    const stop = (signal: NodeJS.Signals): void => {
      if (isDraining) {
        end?.()
        process.exit(128 + constants.signals[signal])
      }
      isDraining = true
      drain().then(resolve, reject)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
