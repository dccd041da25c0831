import type { Notes } from '../../hub/note.ts'
import { arrayAt, objectAt, textAt, type WireObject } from '../../json/wire.ts'

const TEXT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const

const DETAILS = 'choices[0].delta.reasoning_details[]'

/** A piece of thinking with what its maker has signed it with, if that came along. */
export interface SignedThinking {
  readonly thinking: string
  readonly signature: string
}

/** The thinking in a delta, once, though some upstreams send the same piece under several names. */
export function reasoningOf(delta: WireObject, notes: Notes): readonly SignedThinking[] {
  const text = textOf(delta, notes)
  if (!Array.isArray(delta['reasoning_details']))
    return text === '' ? [] : [{ thinking: text, signature: '' }]
  const details = detailsOf(delta['reasoning_details'], notes)
  const told = details.map(({ thinking }) => thinking).join('')
  if (text === '' || told === text) return details
  const signature = details.find((detail) => detail.signature !== '')?.signature ?? ''
  if (told === '' || signature === '') return [{ thinking: text, signature }]
  notes.add('reasoning_dropped', DETAILS, 'a signature of other words than those that were told')
  return [{ thinking: text, signature: '' }]
}

function textOf(delta: WireObject, notes: Notes): string {
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
  return found
}

function detailsOf(details: readonly unknown[], notes: Notes): SignedThinking[] {
  return details.flatMap((element) => {
    const detail = objectAt(element, DETAILS) ?? {}
    const { type } = detail
    if (type === 'reasoning.text')
      return { thinking: textAt(detail['text'], `${DETAILS}.text`), signature: signatureOf(detail, notes) }
    if (type === 'reasoning.summary')
      return { thinking: textAt(detail['summary'], `${DETAILS}.summary`), signature: '' }
    notes.add('reasoning_dropped', DETAILS, `reasoning of the type ${String(type)} has no plain text`)
    return []
  })
}

/** Only Anthropic's signatures are known to stand for the words beside them. */
function signatureOf({ signature: value, format }: WireObject, notes: Notes): string {
  const signature = textAt(value, `${DETAILS}.signature`)
  if (signature === '' || String(format).startsWith('anthropic-')) return signature
  notes.add('reasoning_dropped', DETAILS, `a signature of the format ${String(format)} has no equivalent`)
  return ''
}

/** The signed thinking in a delta, as LiteLLM passes on what Anthropic's models think. */
export function signedThinkingOf(delta: WireObject, notes: Notes): readonly SignedThinking[] {
  const path = 'choices[0].delta.thinking_blocks'
  return arrayAt(delta['thinking_blocks'], path).map((element) => {
    const block = objectAt(element, `${path}[]`) ?? {}
    if (block['type'] === 'redacted_thinking')
      notes.add('reasoning_dropped', `${path}[]`, 'thinking that nobody may read has no plain text')
    return {
      thinking: textAt(block['thinking'], `${path}[].thinking`),
      signature: textAt(block['signature'], `${path}[].signature`),
    }
  })
}
