import type { Period } from './limits.ts'

const DAY = 86_400_000

/** Day 0 was a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3

/** The number of the period that a time (milliseconds since 1970) is in; the next period has the next number. */
export function periodAt(period: Period, now: number): number {
  const days = Math.floor(now / DAY)
  if (period === 'day') return days
  if (period === 'week') return Math.floor((days + DAYS_SINCE_MONDAY) / 7)
  const date = new Date(now)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** When the period that a time is in ends, in milliseconds since 1970. */
export function periodEnd(period: Period, now: number): number {
  const next = periodAt(period, now) + 1
  if (period === 'day') return next * DAY
  if (period === 'week') return (next * 7 - DAYS_SINCE_MONDAY) * DAY
  return Date.UTC(Math.floor(next / 12), next % 12)
}
