import type { ClientHabits } from './client-habits.ts'

/**
 * Alibaba's Qwen Code. After an error in the middle of a stream it waits for a minute or gives up; when the connection
 * breaks, it goes on at once.
 */
export const qwenCode = {
  name: 'qwen-code',
  agent: 'QwenCode',
  goesOnAfterBreak: true,
} as const satisfies ClientHabits
