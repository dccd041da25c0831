import { numberIn, type VaryingText, wordIn } from '../../fast-text/varying-text.ts'
import type { WireObject } from '../../json/wire.ts'

/** Each event has a number, and random text that hides how long the words are. */
const holes = [numberIn('sequence_number'), wordIn('obfuscation')]

/** The words of an answer. */
export const TEXT: VaryingText = {
  key: 'delta',
  textOf: (event) => deltaOf(event, 'response.output_text.delta'),
  holes,
}

/** A further piece of a call's arguments. */
export const ARGUMENTS: VaryingText = {
  key: 'delta',
  textOf: (event) => deltaOf(event, 'response.function_call_arguments.delta'),
  holes,
}

function deltaOf({ type, delta }: WireObject, wanted: string): string | undefined {
  return type === wanted && typeof delta === 'string' ? delta : undefined
}
