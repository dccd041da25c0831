import { textOf } from '../../summary/json-text.ts'
import {
  callWords,
  errorWords,
  type Fields,
  fieldsOf,
  objectsIn,
  quoted,
  usageWords,
} from './event-fields.ts'

/** What a chunk of Chat Completions says. */
export function chatWords({ choices, usage, error }: Fields): string | undefined {
  if (!Array.isArray(choices)) return undefined
  const [choice] = objectsIn(choices)
  if (choice === undefined) return countsOf(fieldsOf(usage)) ?? errorWords(error)
  const finish = textOf(choice['finish_reason'])
  return finish === undefined ? deltaWords(fieldsOf(choice['delta'])) : `finish: ${finish}`
}

function deltaWords(delta: Fields): string | undefined {
  const thinking = textOf(delta['reasoning_content']) ?? textOf(delta['reasoning'])
  if (thinking !== undefined) return `thinks ${quoted(thinking)}`
  const [call] = objectsIn(delta['tool_calls'])
  const { name, arguments: input } = fieldsOf(call?.['function'])
  if (call !== undefined) return callWords(name, input)
  const text = textOf(delta['content'])
  const role = textOf(delta['role'])
  if (role !== undefined && (text ?? '') === '') return `role: ${role}`
  return text === undefined ? undefined : quoted(text)
}

function countsOf({ prompt_tokens: input, completion_tokens: output }: Fields): string | undefined {
  return input === undefined && output === undefined ? undefined : usageWords(input, output)
}
