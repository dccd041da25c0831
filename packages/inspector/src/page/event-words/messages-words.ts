import { isJsonObject } from '@hydra/core'
import { jsonOf, textOf } from '../../summary/json-text.ts'
import { errorWords, type Fields, fieldsOf, quoted, usageWords } from './event-fields.ts'

/** What an event of Messages says. */
export function messagesWords(event: Fields): string | undefined {
  const delta = fieldsOf(event['delta'])
  const text = textOf(delta['text']) ?? textOf(delta['thinking']) ?? textOf(delta['partial_json'])
  if (text !== undefined) return quoted(text)
  const stop = textOf(delta['stop_reason'])
  if (stop !== undefined) return `stop: ${stop}${countsOf(event['usage'])}`
  return errorWords(event['error']) ?? blockWords(event)
}

function countsOf(usage: unknown): string {
  if (!isJsonObject(usage)) return ''
  return ` ${usageWords(usage['input_tokens'], usage['output_tokens'])}`
}

function blockWords(event: Fields): string | undefined {
  const { content_block: block, index, message } = event
  if (isJsonObject(block))
    return `block ${jsonOf(index)}: ${textOf(block['name']) ?? textOf(block['type']) ?? ''}`
  if (isJsonObject(message)) return textOf(message['model'])
  // An event whose name says it all.
  if (Object.keys(event).join(' ') === 'type') return ''
  return typeof index === 'number' ? `block ${index}` : undefined
}
