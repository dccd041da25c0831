import type { Saying } from './account.ts'
import { isObject, jsonOf, textOf } from './json-text.ts'

/** The messages of a request, each as what is said in it. */
export interface Conversation {
  readonly messages: readonly (readonly Saying[])[]
}

type Block = Readonly<Record<string, unknown>>

/** Reads the messages of either dialect; what it does not know is shown as it stands. */
export function readConversation(body: unknown): Conversation {
  const messages = isObject(body) && Array.isArray(body['messages']) ? body['messages'] : []
  const names = new Map<string, string>()
  return { messages: messages.map((message: unknown) => readMessage(message, names)) }
}

function readMessage(message: unknown, names: Map<string, string>): Saying[] {
  if (!isObject(message)) return [{ who: 'somebody', kind: 'other', text: jsonOf(message) }]
  const who = textOf(message['role']) ?? 'somebody'
  if (who === 'tool') return [readToolMessage(message, names)]
  const content = message['content']
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const said = Array.isArray(blocks) ? blocks.map((block: unknown) => readBlock(who, block, names)) : []
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  return [...said, ...calls.map((call: unknown) => readChatCall(who, call, names))]
}

function readToolMessage(message: Block, names: ReadonlyMap<string, string>): Saying {
  const id = textOf(message['tool_call_id']) ?? ''
  return { who: 'tool', kind: 'result', name: names.get(id) ?? id, text: contentText(message['content']) }
}

function readChatCall(who: string, call: unknown, names: Map<string, string>): Saying {
  const called = isObject(call) && isObject(call['function']) ? call['function'] : undefined
  if (!isObject(call) || called === undefined) return { who, kind: 'other', text: jsonOf(call) }
  const name = textOf(called['name']) ?? '?'
  names.set(textOf(call['id']) ?? '', name)
  return { who, kind: 'call', name, text: textOf(called['arguments']) ?? jsonOf(called['arguments']) }
}

function readBlock(who: string, block: unknown, names: Map<string, string>): Saying {
  if (!isObject(block)) return { who, kind: 'other', text: jsonOf(block) }
  switch (block['type']) {
    case 'text':
      return { who, kind: 'text', text: textOf(block['text']) ?? jsonOf(block) }
    case 'thinking':
      return { who, kind: 'thinking', text: textOf(block['thinking']) ?? '' }
    case 'tool_use':
      return readToolUse(who, block, names)
    case 'tool_result':
      return readToolResult(block, names)
    default:
      return { who, kind: 'other', text: mediaText(block) }
  }
}

function readToolUse(who: string, block: Block, names: Map<string, string>): Saying {
  const name = textOf(block['name']) ?? '?'
  names.set(textOf(block['id']) ?? '', name)
  return { who, kind: 'call', name, text: jsonOf(block['input']) }
}

function readToolResult(block: Block, names: ReadonlyMap<string, string>): Saying {
  const id = textOf(block['tool_use_id']) ?? ''
  return {
    who: 'tool',
    kind: 'result',
    name: names.get(id) ?? id,
    text: contentText(block['content']),
    ...(block['is_error'] === true && { failed: true }),
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : jsonOf(content)
  return content.map((part: unknown) => partText(part)).join('\n')
}

function partText(part: unknown): string {
  if (!isObject(part)) return jsonOf(part)
  return part['type'] === 'text' ? (textOf(part['text']) ?? '') : mediaText(part)
}

/** A picture is told by its size: nobody reads base64. */
function mediaText(block: Block): string {
  const source = isObject(block['source']) ? block['source'] : undefined
  const data = textOf(source?.['data'])
  if (data === undefined) return jsonOf(block)
  const type = textOf(source?.['media_type']) ?? textOf(block['type']) ?? 'something'
  return `[${type}, ${data.length} characters of base64]`
}
