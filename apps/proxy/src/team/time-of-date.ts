/** The time that a date stands for; NaN if there is no such date, such as the 30th of February. */
export function timeOfDate(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  if (day === undefined) return Date.parse(text)
  const midnight = new Date(`${day}T00:00:00Z`)
  const isThere = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return isThere ? Date.parse(text) : Number.NaN
}
