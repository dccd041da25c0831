import { nothingToAnswer } from '../../encode/turns.ts'
import { asReminder } from '../../clients/claude-code.ts'
import { wellFormedValue } from '../../encode/well-formed-value.ts'
import { GO_ON, repair } from '../../history/repair.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubRequest } from '../../hub/request.ts'
import type { Encoding } from './encoding.ts'
import { isForeignThinking } from './thinking.ts'

type ToolResult = Extract<HubBlock, { type: 'tool_result' }>
type Spoken = Exclude<HubMessage, { role: 'system' }>

/** The conversation as Anthropic takes it: the same objects wherever nothing has to change. */
export function encodeMessages(request: HubRequest, encoding: Encoding): HubMessage[] {
  const history = repair(request.messages, encoding.profile, encoding.notes)
  const lastUser = history.findLastIndex(({ role }) => role === 'user')
  const messages = history.flatMap((given, index) => {
    const path = `messages[${index}]`
    const message = wellFormedValue(given, path, encoding)
    if (message.role === 'system')
      return systemMessage(message, path, { encoding, isCleared: index < lastUser })
    const encoded = spokenMessage(message, path, encoding)
    return encoded.content.length > 0 ? encoded : []
  })
  if (messages.length === 0) throw nothingToAnswer(request)
  return closed(messages, encoding)
}

interface SystemContext {
  readonly encoding: Encoding
  /** A user's turn follows: system messages that were meant to last until then are gone. */
  readonly isCleared: boolean
}

/** Older models know no system messages between the turns: there it is a reminder in the user's turn. */
function systemMessage(
  message: HubMessage,
  path: string,
  { encoding: { profile, notes }, isCleared }: SystemContext,
): HubMessage | [] {
  if (profile.systemMidway === 'keep') return message
  if (message.role === 'system' && message.clear_at === 'next_user_message' && isCleared) {
    notes.add('system_cleared', path, 'it was meant to last until the next turn of the user')
    return []
  }
  const texts = blocksOf(message).flatMap((block) =>
    block.type === 'text' && !isBlank(block) ? block.text : [],
  )
  if (texts.length === 0) return []
  notes.addOnce(
    'system_moved',
    path,
    'the model takes no system messages between the turns: it is a reminder',
  )
  const text = asReminder(texts.join('\n\n'))
  return { role: 'user', content: [{ type: 'text', text }] }
}

function spokenMessage(message: Spoken, path: string, encoding: Encoding): Spoken {
  const { content } = message
  if (typeof content === 'string') {
    if (content.trim() !== '' || content === '') return message
    encoding.notes.add('blank_text_dropped', path, 'Anthropic refuses texts without a visible character')
    return { ...message, content: '' }
  }
  const blocks = message.role === 'assistant' ? callsLast(content, path, encoding) : content
  const all = encodeBlocks(blocks, path, encoding)
  const encoded = message.role === 'assistant' ? withoutLastThoughts(all, path, encoding) : all
  return encoded === content ? message : { ...message, content: [...encoded] }
}

/** The same list where no block has to change or to go. */
function encodeBlocks(blocks: readonly HubBlock[], path: string, encoding: Encoding): readonly HubBlock[] {
  let changed: HubBlock[] | undefined
  for (const [index, block] of blocks.entries()) {
    const encoded = encodeBlock(block, `${path}.content[${index}]`, encoding)
    if (encoded !== block) changed ??= blocks.slice(0, index)
    if (encoded !== undefined) changed?.push(encoded)
  }
  return changed ?? blocks
}

/** What the assistant said behind its calls comes before them: results have to follow the calls directly. */
function callsLast(blocks: readonly HubBlock[], path: string, { notes }: Encoding): readonly HubBlock[] {
  const first = blocks.findIndex(({ type }) => type === 'tool_use')
  if (first === -1) return blocks
  const late = blocks.slice(first).filter(({ type }) => type === 'text')
  if (late.length === 0) return blocks
  notes.add('text_moved', path, 'text behind a call was moved before it')
  const rest = blocks.slice(first).filter(({ type }) => type !== 'text')
  return [...blocks.slice(0, first), ...late, ...rest]
}

/** Anthropic refuses a turn that ends with a thought; nothing was said or called after it. */
function withoutLastThoughts(
  blocks: readonly HubBlock[],
  path: string,
  { notes }: Encoding,
): readonly HubBlock[] {
  const last = blocks.findLastIndex(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
  if (last === blocks.length - 1) return blocks
  notes.addOnce('thinking_dropped', path, 'Anthropic refuses a turn that ends with thinking')
  return blocks.slice(0, last + 1)
}

/** `undefined` for a block that Anthropic would refuse. */
function encodeBlock(block: HubBlock, path: string, encoding: Encoding): HubBlock | undefined {
  const { notes, names, wireIds, callIds } = encoding
  switch (block.type) {
    case 'text':
      if (!isBlank(block)) return block
      if (block.text !== '')
        notes.addOnce('blank_text_dropped', path, 'Anthropic refuses texts without a visible character')
      return undefined
    case 'thinking':
      if (!isForeignThinking(block, encoding.profile)) return block
      notes.add('thinking_dropped', path, 'thinking that Anthropic has not signed is refused')
      return undefined
    case 'tool_use': {
      callIds.add(block.id)
      const id = wireIds.toWire(block.id)
      const name = names.toWire(block.name)
      if (id === block.id && name === block.name && block.input !== undefined) return block
      return { ...block, id, name, input: block.input ?? {} }
    }
    case 'tool_result':
      return encodeResult(block, encoding)
    default:
      return block
  }
}

function encodeResult(block: ToolResult, { wireIds }: Encoding): ToolResult {
  const { content } = block
  const id = wireIds.toWire(block.tool_use_id)
  const kept = Array.isArray(content)
    ? content.filter((part) => part.type !== 'text' || !isBlank(part))
    : content
  if (id === block.tool_use_id && kept?.length === content?.length) return block
  return { ...block, tool_use_id: id, ...(kept !== undefined && { content: kept }) }
}

function isBlank({ text }: { readonly text: string }): boolean {
  return text.trim() === ''
}

/** Newer models answer the user only; where older ones go on with words of the assistant, these may not end in white space. */
function closed(messages: readonly HubMessage[], { profile, notes }: Encoding): HubMessage[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant') return [...messages]
  const path = `messages[${messages.length - 1}]`
  if (!profile.takesPrefill) {
    notes.add('prefill_closed', path, 'the model refuses a request that ends with the assistant')
    return [...messages, { role: 'user', content: GO_ON }]
  }
  const blocks = blocksOf(last)
  const end = blocks.at(-1)
  if (end?.type !== 'text' || end.text === end.text.trimEnd()) return [...messages]
  notes.add('prefill_trimmed', path, 'white space at the end of it is refused')
  const content: HubBlock[] = [...blocks.slice(0, -1), { ...end, text: end.text.trimEnd() }]
  return [...messages.slice(0, -1), { ...last, content }]
}
