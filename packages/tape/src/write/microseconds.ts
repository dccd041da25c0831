import { performance } from 'node:perf_hooks'

const STARTED = performance.timeOrigin

/** The system's clock at the start, and from then on one that never goes backwards; microseconds since the epoch. */
export function microseconds(): number {
  return Math.round((STARTED + performance.now()) * 1000)
}
