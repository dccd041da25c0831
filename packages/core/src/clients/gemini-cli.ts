import type { ClientHabits } from './client-habits.ts'

/** Google's Gemini CLI. */
export const geminiCli = {
  name: 'gemini-cli',
  agent: 'GeminiCLI',
  givesUpOnBreak: true,
} as const satisfies ClientHabits
