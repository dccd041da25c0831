import { shortened } from '@hydra/cli'
import { isObject, jsonOf, textOf } from '../show/json-text.ts'

const LONGEST_HINT = 160

type Fields = Readonly<Record<string, unknown>>

/** What an event says, in a few words: its text, its tool, its reason to stop; else its beginning. */
export function hintOf(data: string): string {
  return shortened((wordsOf(data) ?? data).replaceAll(/\s+/g, ' '), LONGEST_HINT)
}

function wordsOf(data: string): string | undefined {
  try {
    const value: unknown = JSON.parse(data)
    if (!isObject(value)) return undefined
    return Array.isArray(value['choices']) ? chatWords(value) : messagesWords(value)
  } catch {
    return undefined
  }
}

function chatWords(event: Fields): string | undefined {
  const choice = firstOf(event['choices'])
  if (choice === undefined) return usageWords(event['usage'])
  const finish = textOf(choice['finish_reason'])
  if (finish !== undefined) return `finish: ${finish}`
  return isObject(choice['delta']) ? deltaWords(choice['delta']) : undefined
}

function deltaWords(delta: Fields): string | undefined {
  const thinking = textOf(delta['reasoning_content']) ?? textOf(delta['reasoning'])
  if (thinking !== undefined) return `thinks ${JSON.stringify(thinking)}`
  const called = firstOf(delta['tool_calls'])?.['function']
  if (isObject(called)) return `calls ${textOf(called['name']) ?? ''} ${textOf(called['arguments']) ?? ''}`
  const text = textOf(delta['content'])
  const role = textOf(delta['role'])
  if (role !== undefined && (text ?? '') === '') return `role: ${role}`
  return text === undefined ? undefined : JSON.stringify(text)
}

function firstOf(list: unknown): Fields | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  return isObject(first) ? first : undefined
}

function messagesWords(event: Fields): string | undefined {
  const delta = isObject(event['delta']) ? event['delta'] : {}
  const text = textOf(delta['text']) ?? textOf(delta['thinking']) ?? textOf(delta['partial_json'])
  if (text !== undefined) return JSON.stringify(text)
  const stop = textOf(delta['stop_reason'])
  if (stop !== undefined) return [`stop: ${stop}`, usageWords(event['usage']) ?? ''].join(' ').trim()
  if (isObject(event['error'])) return textOf(event['error']['message'])
  return blockWords(event)
}

function blockWords(event: Fields): string | undefined {
  const block = event['content_block']
  const index = event['index']
  if (isObject(block))
    return `block ${jsonOf(index)}: ${textOf(block['name']) ?? textOf(block['type']) ?? ''}`
  if (isObject(event['message'])) return textOf(event['message']['model'])
  // An event whose name says it all.
  if (Object.keys(event).length === 1) return ''
  return typeof index === 'number' ? `block ${index}` : undefined
}

function usageWords(usage: unknown): string | undefined {
  if (!isObject(usage)) return undefined
  const input = usage['prompt_tokens'] ?? usage['input_tokens']
  const output = usage['completion_tokens'] ?? usage['output_tokens']
  return `usage ${jsonOf(input)} in, ${jsonOf(output)} out`
}
