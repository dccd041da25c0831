import { claudeCodeMarks } from '@hydra/core'

const { billingLine, date, dateHeading, reminderBegin, version } = claudeCodeMarks

/** The line of a system prompt that is different in each request of a session. */
const BILLING = new RegExp(`^${billingLine}[^\\n]*(?:\\n|$)`)

/** Texts outside of the system prompt in which the client itself writes the date. */
const REMINDERS = [reminderBegin, dateHeading]

/** Takes the place of a block of text that holds nothing but the billing line. */
export const BILLING_MARK = '(billing line)'

/** The text of a system prompt without what changes from run to run. */
export function canonicalSystemText(text: string): string {
  const rest = text.replace(BILLING, '')
  if (rest === '' && text !== '') return BILLING_MARK
  return withoutDate(rest.replace(version, '$1*'))
}

/** The text of a turn without what the client itself adds; what a person typed is left as it is. */
export function canonicalTurnText(text: string): string {
  return REMINDERS.some((reminder) => text.includes(reminder)) ? withoutDate(text) : text
}

function withoutDate(text: string): string {
  return text.replace(date, '$1(date)')
}
