import { jsonOf, textOf } from '../../summary/json-text.ts'
import { callWords, errorWords, type Fields, fieldsOf, quoted, usageWords } from './event-fields.ts'

/** What an event of Responses says. */
export function responsesWords(event: Fields): string | undefined {
  if (textOf(event['type'])?.startsWith('response.') !== true) return undefined
  const { delta, item, part, response, output_index: index } = event
  if (typeof delta === 'string') return quoted(delta)
  if (item !== undefined) return `item ${jsonOf(index)}: ${itemWords(fieldsOf(item))}`
  if (part !== undefined) return `part: ${textOf(fieldsOf(part)['type']) ?? ''}`
  return response === undefined ? wholeWords(event) : responseWords(fieldsOf(response))
}

function itemWords({ type, name, arguments: json, input = json }: Fields): string {
  return name === undefined ? (textOf(type) ?? '') : callWords(name, input)
}

/** The end of a part repeats all of it. */
function wholeWords({ text, arguments: json, input = json }: Fields): string | undefined {
  const words = textOf(text) ?? textOf(input)
  return words === undefined ? undefined : quoted(words)
}

function responseWords({ status, model, usage, error }: Fields): string {
  const { input_tokens: input, output_tokens: output } = fieldsOf(usage)
  const counts = input === undefined ? textOf(model) : usageWords(input, output)
  return [textOf(status), errorWords(error) ?? counts].filter((words) => words !== undefined).join(' ')
}
