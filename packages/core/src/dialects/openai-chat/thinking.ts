import type { Notes } from '../../hub/note.ts'
import { arrayAt, objectAt, textAt, type WireObject } from './wire.ts'

const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const

/** The thinking in a delta, once, though some upstreams send the same piece under several names. */
export function reasoningOf(delta: WireObject, notes: Notes): string {
  let found = ''
  for (const field of TEXT_FIELDS) {
    if (delta[field] === undefined || delta[field] === null) continue
    const text = textAt(delta[field], `choices[0].delta.${field}`)
    if (found !== '' && text !== '' && text !== found) {
      notes.add(
        'reasoning_differs',
        `choices[0].delta.${field}`,
        'another reasoning field said something else',
      )
    }
    found ||= text
  }
  return found === '' && Array.isArray(delta['reasoning_details']) ? detailsText(delta, notes) : found
}

function detailsText(delta: WireObject, notes: Notes): string {
  const path = 'choices[0].delta.reasoning_details[]'
  let text = ''
  for (const element of arrayAt(delta['reasoning_details'], path)) {
    const detail = objectAt(element, path)
    if (detail?.['type'] === 'reasoning.text') text += textAt(detail['text'], `${path}.text`)
    else if (detail?.['type'] === 'reasoning.summary') text += textAt(detail['summary'], `${path}.summary`)
    else
      notes.add(
        'reasoning_dropped',
        path,
        `reasoning of the type ${String(detail?.['type'])} has no plain text`,
      )
  }
  return text
}

/** A thinking block with its signature, as LiteLLM passes on what Anthropic's models think. */
export interface SignedThinking {
  readonly thinking: string
  readonly signature: string
}

/** The signed thinking in a delta. */
export function signedThinkingOf(delta: WireObject): readonly SignedThinking[] {
  const path = 'choices[0].delta.thinking_blocks'
  return arrayAt(delta['thinking_blocks'], path).map((element) => {
    const block = objectAt(element, `${path}[]`) ?? {}
    return {
      thinking: textAt(block['thinking'], `${path}[].thinking`),
      signature: textAt(block['signature'], `${path}[].signature`),
    }
  })
}
