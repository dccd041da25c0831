import { asText, type HubError, type Translation } from '@hydra/core'

/** How the body of an upstream's answer ends: as its protocol ends, by a failure, or not at all that we know of. */
export type BodyEnding = 'end' | 'open' | { readonly failure: HubError }

/** What a translation makes of an answer. */
export interface PlayedAnswer {
  /** Everything it wrote. */
  readonly text: string
  /** What it ended with, if it was an error. */
  readonly failure: HubError | undefined
  /** Whether it failed with its first write: then the gateway answers with a status instead. */
  readonly isRefused: boolean
  /** Whether it has a clean end, an error, or neither. */
  readonly ended: 'clean' | 'failed' | 'open'
  /** Why the model stopped, where a translation knows it. */
  readonly stopReason?: string | undefined
}

/** Hands the pieces of a body to a translation in the way the gateway does. */
export function playAnswer(
  translation: Translation,
  pieces: Iterable<Uint8Array>,
  ending: BodyEnding,
): PlayedAnswer {
  let text = ''
  let before = ''
  for (const piece of pieces) {
    if (translation.ended) break
    before = text
    text += asText(translation.pushRaw(piece))
  }
  if (!translation.ended) {
    before = text
    text += close(translation, ending)
  }
  const { failure, ended } = translation
  return {
    text,
    failure,
    isRefused: failure !== undefined && before === '',
    ended: failure !== undefined ? 'failed' : ended ? 'clean' : 'open',
    stopReason: translation.summary.stopReason ?? undefined,
  }
}

function close(translation: Translation, ending: BodyEnding): string {
  if (ending === 'open') return ''
  // A connection that breaks after the finish has brought everything.
  if (ending === 'end' || translation.finished) return asText(translation.end())
  return asText(translation.fail(ending.failure))
}
