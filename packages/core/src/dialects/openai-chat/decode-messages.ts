import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubMessage, HubTextBlock, HubToolResult, HubToolUse } from '../../hub/request.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { parseInput } from '../../stream/collect.ts'
import { arrayAt, type ChatMessage, type ChatPart } from './wire.ts'

/** Where a message was found, and where it is noted what the hub's form cannot hold of it. */
export interface DecodePlace {
  readonly path: string
  readonly notes: Notes
}

/**
 * Decodes messages that belong together: one turn of the assistant with the results of its calls, or one message.
 * They must have passed `checkMessage`.
 */
export function decodeMessages(messages: readonly ChatMessage[], { path, notes }: DecodePlace): HubMessage[] {
  const said: HubBlock[] = []
  const answers: HubBlock[] = []
  const turns: HubMessage[] = []
  for (const message of messages) {
    const place = { path, notes }
    noteUnknownFields(message, place)
    if (message.role === 'assistant') said.push(...decodeAssistant(message, place))
    else if (message.role === 'tool') answers.push(decodeResult(message, place))
    else if (answers.length > 0 && message.role === 'user') answers.push(...blocks(message.content, place))
    else turns.push(decodeOther(message, place))
  }
  if (said.length > 0 || messages[0]?.role === 'assistant') turns.push({ role: 'assistant', content: said })
  if (answers.length > 0) turns.push({ role: 'user', content: answers })
  return turns
}

type Assistant = Extract<ChatMessage, { role: 'assistant' }>
type Tool = Extract<ChatMessage, { role: 'tool' }>
type Other = Exclude<ChatMessage, Assistant | Tool>

function decodeOther(message: Other, place: DecodePlace): HubMessage {
  if (message.role === 'function') {
    place.notes.add('function_result_as_text', place.path, 'the result of a legacy function call has no id')
  }
  const { content } = message
  if (message.role === 'user' || message.role === 'function') {
    return { role: 'user', content: typeof content === 'string' ? content : blocks(content ?? [], place) }
  }
  if (typeof content === 'string') return { role: 'system', content }
  return {
    role: 'system',
    content: (content ?? []).flatMap((part) => (part.type === 'text' ? text(part.text) : [])),
  }
}

function blocks(content: string | readonly ChatPart[], place: DecodePlace): HubBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)]
  return arrayAt(content, place.path).map((part) => decodePart(part as ChatPart, place))
}

function decodePart(part: ChatPart, { path, notes }: DecodePlace): HubBlock {
  switch (part.type) {
    case 'text':
      return text(part.text)
    case 'image_url':
      return decodeImage(part.image_url.url)
    case 'file': {
      const data = /^data:application\/pdf;base64,(.*)$/s.exec(part.file.file_data ?? '')?.[1]
      if (data !== undefined) return decodePdf(data, part.file.filename)
      break
    }
    default:
  }
  notes.add('part_left_out', path, `a part of the type ${part.type} has no equivalent in the hub's form`)
  return text(`[${part.type} left out]`)
}

function decodeImage(url: string): HubBlock {
  const data = /^data:(image\/(?:png|jpeg|gif|webp));base64,(.*)$/s.exec(url)
  if (data === null) return { type: 'image', source: { type: 'url', url } }
  const media_type = data[1] as 'image/png'
  return { type: 'image', source: { type: 'base64', media_type, data: data[2] ?? '' } }
}

function decodePdf(data: string, title: string | undefined): HubBlock {
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data },
    ...(title !== undefined && { title }),
  }
}

function decodeAssistant(message: Assistant, place: DecodePlace): HubBlock[] {
  const { content, refusal, tool_calls: calls } = message
  const said: HubBlock[] = []
  if (typeof content === 'string' && content !== '') said.push(text(content))
  for (const part of typeof content === 'object' ? (content ?? []) : []) {
    said.push(text(part.type === 'text' ? part.text : part.refusal))
  }
  if (refusal) said.push(text(refusal))
  for (const call of calls ?? []) said.push(decodeCall(call, place))
  return said
}

function decodeCall(
  call: NonNullable<Assistant['tool_calls']>[number],
  { path, notes }: DecodePlace,
): HubToolUse {
  if (call.type !== 'custom') {
    const { name, arguments: json } = call.function
    return { type: 'tool_use', id: call.id, name, input: parseInput(json) }
  }
  notes.add('custom_call', path, `the input of the custom call ${call.id} is text, here in an object`)
  return { type: 'tool_use', id: call.id, name: call.custom.name, input: { input: call.custom.input } }
}

function decodeResult({ content, tool_call_id: id }: Tool, place: DecodePlace): HubToolResult {
  if (typeof content === 'string') return { type: 'tool_result', tool_use_id: id, content }
  const parts = blocks(content, place) as Exclude<HubToolResult['content'], string | undefined>
  return { type: 'tool_result', tool_use_id: id, content: parts }
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id'])

function noteUnknownFields(message: ChatMessage, { path, notes }: DecodePlace): void {
  const fields: JsonObject = isJsonObject(message) ? message : {}
  for (const [field, value] of Object.entries(fields)) {
    if (KNOWN_FIELDS.has(field) || value === null || value === undefined) continue
    if (field === 'refusal') notes.add('refusal_as_text', path, 'a refusal is plain text in the hub')
    else
      notes.add(
        'field_not_in_hub',
        `${path}.${field}`,
        'the hub has no such field: the model does not see it',
      )
  }
}

function text(words: string): HubTextBlock {
  return { type: 'text', text: words }
}
