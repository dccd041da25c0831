import type { ClientHabits } from './client-habits.ts'

const ENVIRONMENT = '<environment_details>'

/** Cline, the extension of an editor. */
export const cline = {
  name: 'cline',
  isReminder: (text) => text.startsWith(ENVIRONMENT),
} as const satisfies ClientHabits
