import { textOf } from '../../summary/json-text.ts'
import { callWords, type Fields, fieldsOf, objectsIn, quoted, usageWords } from './event-fields.ts'

/** What a chunk of Gemini says. */
export function geminiWords(event: Fields): string | undefined {
  const { candidates, usageMetadata: usage, promptFeedback: feedback } = event
  const blocked = textOf(fieldsOf(feedback)['blockReason'])
  if (blocked !== undefined) return `blocked: ${blocked}`
  const [candidate = {}] = objectsIn(candidates)
  const words = objectsIn(fieldsOf(candidate['content'])['parts']).map((part) => partWords(part))
  const finish = textOf(candidate['finishReason'])
  const all = [...words, finish === undefined ? '' : `finish: ${finish}`].filter((one) => one !== '')
  if (all.length > 0) return all.join(' ')
  const { promptTokenCount: input, candidatesTokenCount: output } = fieldsOf(usage)
  return usage === undefined ? undefined : usageWords(input, output)
}

function partWords({ text, thought, functionCall }: Fields): string {
  const { name, args } = fieldsOf(functionCall)
  if (functionCall !== undefined) return callWords(name, args)
  const words = textOf(text) ?? ''
  if (words === '') return ''
  return thought === true ? `thinks ${quoted(words)}` : quoted(words)
}
