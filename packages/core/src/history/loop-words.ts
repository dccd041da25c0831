import { asReminder } from '../clients/claude-code.ts'
import type { LoopTrip } from './loop-guard.ts'

/**
 * The reminder to a model that is in a loop. Its form is the one agents use for reminders of their own,
 * which are no words of the user.
 */
export function loopReminder(trip: LoopTrip): string {
  const advice =
    trip.kind === 'lost_results'
      ? 'Your calls are not being answered. Do not make them again. Say what you were about to do and that the results do not arrive, and end your turn.'
      : 'Doing it again will bring the same. Use what you already have, try something else, or tell the user what is in the way and end your turn.'
  return asReminder(`You seem to be in a loop: ${trip.message}.\n${quoted(trip)}\n${advice}`)
}

/** The message to the client when its turn is ended because of a loop. */
export function loopStopWords(trip: LoopTrip): string {
  return [
    `Stopped by Hydra's loop guard: ${trip.message}.`,
    quoted(trip),
    'The model was not called again. Say how to go on, or start over with other words.',
  ].join('\n\n')
}

function quoted({ calls }: LoopTrip): string {
  return calls.map((call) => `- ${call}`).join('\n')
}
