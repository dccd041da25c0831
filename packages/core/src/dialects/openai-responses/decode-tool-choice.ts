import type { Notes } from '../../hub/note.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
import { expectArray, expectObject, expectOptional, expectText, unexpectedValue } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { nameOf } from '../placed-tools.ts'
import type { ClientTools } from './client-tools.ts'
import { WEB_SEARCH } from './decode-tools.ts'

type ToolChoice = NonNullable<HubRequest['tool_choice']>

/** The tools of a request with what it says of their use; nothing at all where none is offered. */
export type ToolFields = Partial<Pick<HubRequest, 'tools' | 'tool_choice'>>

/** What a choice is made from. */
export interface ChoiceReading {
  readonly offered: readonly HubTool[]
  readonly tools: ClientTools
  readonly notes: Notes
}

const WORDS: ReadonlyMap<unknown, ToolChoice> = new Map<unknown, ToolChoice>([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'any' }],
])

/** Reads `tool_choice` and `parallel_tool_calls`. */
export function decodeToolChoice(body: JsonObject, reading: ChoiceReading): ToolFields {
  expectOptional(body, 'parallel_tool_calls', { type: 'boolean', path: '' })
  const { offered } = reading
  if (offered.length === 0) return {}
  const { tools, choice } = chosen(body.tool_choice, reading)
  const isSerial = body.parallel_tool_calls === false && choice?.type !== 'none'
  if (!isSerial) return { tools: [...tools], ...(choice !== undefined && { tool_choice: choice }) }
  return {
    tools: [...tools],
    tool_choice: { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true },
  }
}

interface Chosen {
  readonly tools: readonly HubTool[]
  readonly choice: ToolChoice | undefined
}

function chosen(value: unknown, reading: ChoiceReading): Chosen {
  const { offered } = reading
  if (value === undefined || value === null) return { tools: offered, choice: undefined }
  const word = WORDS.get(value)
  if (word !== undefined) return { tools: offered, choice: word }
  if (typeof value === 'string')
    throw unexpectedValue('tool_choice', 'one of none, auto, required, or an object', value)
  const choice = expectObject(value, 'tool_choice')
  const type = expectText(choice, 'type', 'tool_choice')
  if (type === 'allowed_tools') return allowed(choice, reading)
  const name = namedTool(choice, type, reading.tools)
  if (name !== undefined && offered.some((tool) => nameOf(tool) === name))
    return { tools: offered, choice: { type: 'tool', name } }
  if (type === 'function' || type === 'custom')
    throw unexpectedValue('tool_choice.name', 'the name of one of the tools', choice.name)
  reading.notes.add('tool_choice_ignored', 'tool_choice', `a tool of the type '${type}' is not offered`)
  return { tools: offered, choice: undefined }
}

/** The model may use some of the tools only: it is offered no others. */
function allowed(choice: JsonObject, { offered, tools, notes }: ChoiceReading): Chosen {
  const list = expectArray(choice.tools, 'tool_choice.tools').map((item, index) => {
    const path = `tool_choice.tools[${index}]`
    const entry = expectObject(item, path)
    return namedTool(entry, expectText(entry, 'type', path), tools)
  })
  const names = new Set(list.filter((name) => name !== undefined))
  const kept = offered.filter((tool) => names.has(nameOf(tool)))
  if (kept.length === 0) {
    notes.add('tool_choice_ignored', 'tool_choice.tools', 'none of these tools is offered')
    return { tools: offered, choice: { type: 'none' } }
  }
  return { tools: kept, choice: choice.mode === 'required' ? { type: 'any' } : { type: 'auto' } }
}

/** The name under which the hub knows the tool that is meant; tools that are not functions go by their type. */
function namedTool(entry: JsonObject, type: string, tools: ClientTools): string | undefined {
  if (type.startsWith('web_search')) return WEB_SEARCH
  const name = typeof entry.name === 'string' ? entry.name : type
  const { namespace } = entry
  return tools.known({ name, namespace: typeof namespace === 'string' ? namespace : undefined })
}
