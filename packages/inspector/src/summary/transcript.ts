import { isJsonObject, isReminder } from '@hydra/core'
import type { Utterance } from './session-summary.ts'
import { jsonOf, textOf } from './json-text.ts'
import type { RequestReading } from './read-request.ts'

/** The messages of a request, each as what is said in it. */
export interface Transcript {
  readonly messages: readonly (readonly Utterance[])[]
}

type Block = Readonly<Record<string, unknown>>

/** Reads the messages of a request; what cannot be read is shown as it is. */
export function readTranscript({ hub, body }: Pick<RequestReading, 'hub' | 'body'>): Transcript {
  const messages: readonly unknown[] = hub?.messages ?? spokenIn(body)
  const names = new Map<string, string>()
  return { messages: messages.map((message: unknown) => readMessage(message, names)) }
}

/** The first list of messages in a body, whatever its dialect calls it. */
function spokenIn(body: RequestReading['body']): readonly unknown[] {
  const lists = Object.values(body).filter((value) => Array.isArray(value)) as readonly (readonly unknown[])[]
  return lists.find((list) => list.some((item) => isJsonObject(item) && 'role' in item)) ?? []
}

function readMessage(message: unknown, names: Map<string, string>): Utterance[] {
  if (!isJsonObject(message)) return [{ who: 'somebody', kind: 'other', text: jsonOf(message) }]
  const who = textOf(message['role']) ?? 'somebody'
  if (who === 'tool') return [readToolMessage(message, names)]
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const said = Array.isArray(blocks) ? blocks.map((block: unknown) => readBlock(who, block, names)) : []
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  return [...said, ...calls.map((call: unknown) => readChatCall(who, call, names))]
}

function readToolMessage(message: Block, names: ReadonlyMap<string, string>): Utterance {
  const id = textOf(message['tool_call_id']) ?? ''
  return { who: 'tool', kind: 'result', name: names.get(id) ?? id, text: contentText(message['content']), id }
}

function readChatCall(who: string, call: unknown, names: Map<string, string>): Utterance {
  const called = isJsonObject(call) && isJsonObject(call['function']) ? call['function'] : undefined
  if (!isJsonObject(call) || called === undefined) return { who, kind: 'other', text: jsonOf(call) }
  const name = textOf(called['name']) ?? '?'
  const id = textOf(call['id']) ?? ''
  names.set(id, name)
  return { who, kind: 'call', name, text: textOf(called['arguments']) ?? jsonOf(called['arguments']), id }
}

function readBlock(who: string, block: unknown, names: Map<string, string>): Utterance {
  if (!isJsonObject(block)) return { who, kind: 'other', text: jsonOf(block) }
  switch (block['type']) {
    case 'text':
      return textUtterance(who, textOf(block['text']) ?? jsonOf(block))
    case 'thinking':
      return { who, kind: 'thinking', text: textOf(block['thinking']) ?? '' }
    case 'tool_use':
      return readToolUse(who, block, names)
    case 'tool_result':
      return readToolResult(block, names)
    default:
      return { who, kind: 'other', text: mediaText(block), ...imageOf(block) }
  }
}

function textUtterance(who: string, text: string): Utterance {
  const isClients = who === 'user' && isReminder(text.trimStart())
  return { who, kind: 'text', text, ...(isClients && { reminder: true }) }
}

function readToolUse(who: string, block: Block, names: Map<string, string>): Utterance {
  const name = textOf(block['name']) ?? '?'
  const id = textOf(block['id']) ?? ''
  names.set(id, name)
  return { who, kind: 'call', name, text: jsonOf(block['input']), id }
}

function readToolResult(block: Block, names: ReadonlyMap<string, string>): Utterance {
  const id = textOf(block['tool_use_id']) ?? ''
  return {
    who: 'tool',
    kind: 'result',
    name: names.get(id) ?? id,
    text: contentText(block['content']),
    id,
    ...imageIn(block['content']),
    ...(block['is_error'] === true && { failed: true }),
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : jsonOf(content)
  return content.map((part: unknown) => partText(part)).join('\n')
}

function partText(part: unknown): string {
  if (!isJsonObject(part)) return jsonOf(part)
  return part['type'] === 'text' ? (textOf(part['text']) ?? '') : mediaText(part)
}

/** Pictures that every browser shows; anything else is told by its size only. */
const SHOWN_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const BASE64 = /^[A-Za-z0-9+/]+=*$/

function imageOf(block: Block): Pick<Utterance, 'image'> {
  const source = isJsonObject(block['source']) ? block['source'] : {}
  const type = textOf(source['media_type']) ?? ''
  const base64 = textOf(source['data']) ?? ''
  return SHOWN_IMAGES.has(type) && BASE64.test(base64) ? { image: { type, base64 } } : {}
}

function imageIn(content: unknown): Pick<Utterance, 'image'> {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  const found = blocks.find((block) => isJsonObject(block) && block['type'] === 'image')
  return isJsonObject(found) ? imageOf(found) : {}
}

/** A picture is shown by its size: base64 is of no use to a reader. */
function mediaText(block: Block): string {
  const source = isJsonObject(block['source']) ? block['source'] : undefined
  const data = textOf(source?.['data'])
  if (data === undefined) return jsonOf(block)
  const type = textOf(source?.['media_type']) ?? textOf(block['type']) ?? 'something'
  return `[${type}, ${data.length} characters of base64]`
}
