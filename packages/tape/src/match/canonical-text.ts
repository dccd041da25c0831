/** The line of Claude Code's system prompt that is different in each of its requests. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*(?:\n|$)/

/** Versions of the client, which change with each of its releases and with each build. */
const CLIENT_VERSION = /\bcc_version=[^;\s"]*/g

/** Today's date in the words of Claude Code, of all releases that were looked at. */
const DATE = /\b([Tt]oday's date(?: is(?: now)?)?:? )\d{4}[-/]\d{2}[-/]\d{2}/g

/** The places outside of the system prompt where Claude Code tells the date. */
const REMINDERS = ['<system-reminder>', '# currentDate']

/** Stands for a block of text that says nothing but the billing line. */
export const BILLING_MARK = '(billing line)'

/** The text of a system prompt without what changes from run to run. */
export function canonicalSystemText(text: string): string {
  const rest = text.replace(BILLING_LINE, '')
  if (rest === '' && text !== '') return BILLING_MARK
  return withoutDate(rest.replace(CLIENT_VERSION, 'cc_version=*'))
}

/** The text of a turn without what the client itself adds; what a person typed is left as it is. */
export function canonicalTurnText(text: string): string {
  return REMINDERS.some((reminder) => text.includes(reminder)) ? withoutDate(text) : text
}

function withoutDate(text: string): string {
  return text.replace(DATE, '$1(date)')
}
