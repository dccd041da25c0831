import { Buffer } from 'node:buffer'
import type { HubRequest } from '@hydra/core'
import { canonicalText } from '../summary/canonical-text.ts'
import { jsonOf } from '../summary/json-text.ts'
import { aboutMessages, firstWords } from './about-messages.ts'
import type { ContextPart, ContextView, PrefixView } from './page-data.ts'

/** How much is shown around the first character that differs. */
const MAX_SHOWN = 160

interface ReadPart extends ContextPart {
  readonly text: string
}

/** An earlier request of the same conversation. */
export interface EarlierRequest {
  readonly number: number
  readonly hub: HubRequest
}

/** What fills the context of a request, and where it stops to begin like the one before it. */
export function contextView(hub: HubRequest, earlier: EarlierRequest | undefined): ContextView {
  const parts = partsOf(hub)
  return {
    parts: parts.map(({ kind, label, about, bytes }) => ({ kind, label, about, bytes })),
    bytes: sumOf(parts),
    prefix: earlier && prefixView(parts, partsOf(earlier.hub), earlier.number),
  }
}

/** In the order in which providers cache: tools, system, messages. */
function partsOf({ tools = [], system = [], messages }: HubRequest): ReadPart[] {
  const texts = typeof system === 'string' ? [system] : system.map(({ text }) => text)
  const abouts = aboutMessages(messages)
  return [
    ...tools.map((tool) => {
      const about = 'description' in tool ? firstWords(tool.description ?? '') : ''
      return partOf('tool', { label: 'name' in tool ? tool.name : tool.type, about }, tool)
    }),
    ...texts.map((text, index) =>
      partOf('system', { label: `system ${index + 1}`, about: firstWords(text) }, text),
    ),
    ...messages.map((message, index) => {
      const label = `messages[${index}] ${message.role}`
      return partOf('message', { label, about: abouts[index] ?? '' }, message)
    }),
  ]
}

function partOf(
  kind: ContextPart['kind'],
  words: Pick<ContextPart, 'label' | 'about'>,
  value: unknown,
): ReadPart {
  const text = typeof value === 'string' ? value : (canonicalText(value) ?? jsonOf(value))
  return { kind, ...words, text, bytes: Buffer.byteLength(text) }
}

function prefixView(parts: readonly ReadPart[], before: readonly ReadPart[], against: number): PrefixView {
  const place = before.findIndex((part, index) => parts[index]?.text !== part.text)
  const view = { against, before: sumOf(before) }
  if (place === -1) return { ...view, same: view.before }
  const was = before[place]?.text ?? ''
  const is = parts[place]?.text ?? ''
  const common = commonLength(was, is)
  return {
    ...view,
    same: sumOf(before.slice(0, place)) + Buffer.byteLength(was.slice(0, common)),
    broken: {
      label: before[place]?.label ?? '',
      was: excerpt(was, common),
      is: parts[place] === undefined ? '(it is not there any more)' : excerpt(is, common),
    },
  }
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    if (one.charCodeAt(index) !== other.charCodeAt(index)) return index
  }
  return length
}

function excerpt(text: string, from: number): string {
  const start = Math.max(0, from - MAX_SHOWN / 4)
  const shown = text.slice(start, start + MAX_SHOWN).toWellFormed()
  return `${start > 0 ? '…' : ''}${shown}${start + MAX_SHOWN < text.length ? '…' : ''}`
}

function sumOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}
