import { FREE_TEXT_INPUT } from '../../decode/free-text-tool.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import { inputOfText } from '../../hub/input-text.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubTextBlock } from '../../hub/request.ts'
import {
  expectArray,
  expectObject,
  expectShallowObject,
  expectString,
  expectText,
  unexpectedValue,
} from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { CallKind, ClientTools } from './client-tools.ts'
import { type ContentBlock, decodeContent } from './decode-content.ts'
import type { ToolDecoder } from './decode-tools.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import { fromEncryptedContent } from './proof.ts'
import type { Turns } from './turns.ts'

/** What reading the items of a request needs. */
export interface ItemReading {
  readonly turns: Turns
  readonly tools: ClientTools
  /** Where tools go that an item adds. */
  readonly offered: ToolDecoder
  readonly notes: Notes
  /** The item behind a reference. */
  itemOf(id: string, path: string): JsonObject
  /** Settings that change in the middle of a conversation. */
  configure(item: JsonObject, path: string): void
}

type ItemDecoder = (item: JsonObject, path: string, reading: ItemReading) => void

const ITEMS: ReadonlyMap<string, ItemDecoder> = new Map<string, ItemDecoder>([
  ['message', decodeMessage],
  ['reasoning', decodeReasoning],
  ['function_call', decodeFunctionCall],
  ['custom_tool_call', decodeCustomCall],
  [
    'local_shell_call',
    (item, path, reading) => decodeBuiltInCall(item, path, { ...reading, part: 'action' }),
  ],
  ['shell_call', (item, path, reading) => decodeBuiltInCall(item, path, { ...reading, part: 'action' })],
  [
    'apply_patch_call',
    (item, path, reading) => decodeBuiltInCall(item, path, { ...reading, part: 'operation' }),
  ],
  ['tool_search_call', decodeToolSearch],
  ['function_call_output', decodeOutput],
  ['custom_tool_call_output', decodeOutput],
  ['local_shell_call_output', decodeOutput],
  ['shell_call_output', decodeShellOutput],
  ['apply_patch_call_output', decodePatchOutput],
  ['tool_search_output', decodeFoundTools],
  ['additional_tools', (item, path, { offered }) => void offered.add(item.tools, `${path}.tools`)],
  ['item_reference', decodeReference],
  ['configuration_update', (item, path, reading) => reading.configure(item, path)],
])

/** The fields of items that are read, and those that mean nothing to the model. */
const READ: ReadonlySet<string> = new Set(
  [
    ['type', 'id', 'status', 'caller', 'created_by', 'internal_chat_message_metadata_passthrough'],
    ['role', 'content', 'summary', 'encrypted_content', 'call_id', 'name', 'namespace', 'arguments', 'input'],
    ['action', 'operation', 'execution', 'environment', 'output', 'max_output_length', 'tools'],
    ['reasoning', 'text'],
  ].flat(),
)

/** Reads the items of a request's input into turns. What only OpenAI's servers understand is left out with a note. */
export function decodeItems(items: readonly unknown[], path: string, reading: ItemReading): void {
  for (const [index, value] of items.entries()) decodeItem(value, `${path}[${index}]`, reading)
}

function decodeItem(value: unknown, path: string, reading: ItemReading): void {
  const item = expectObject(value, path)
  const type = typeOf(item, path)
  const decode = ITEMS.get(type)
  if (decode !== undefined) {
    noteOtherFields(item, READ, { path, notes: reading.notes })
    decode(item, path, reading)
  } else reading.notes.add('item_dropped', path, `an item of the type '${type}' is known to OpenAI only`)
}

/** Messages and references may come without a type. */
function typeOf(item: JsonObject, path: string): string {
  if (typeof item.type === 'string' && item.type !== '') return item.type
  if (item.role !== undefined) return 'message'
  if (typeof item.id === 'string' && Object.keys(item).every((key) => key === 'id' || key === 'type'))
    return 'item_reference'
  return expectText(item, 'type', path)
}

function decodeMessage(item: JsonObject, path: string, { turns, notes }: ItemReading): void {
  const blocks = decodeContent(item.content, `${path}.content`, notes)
  switch (item.role) {
    case 'user':
      turns.add('user', blocks)
      return
    case 'assistant':
      turns.add('assistant', textsOf(blocks, path, notes))
      return
    case 'system':
    case 'developer':
      turns.instruct(textsOf(blocks, path, notes))
      return
    default:
      throw unexpectedValue(`${path}.role`, 'one of user, assistant, system, developer', item.role)
  }
}

function textsOf(blocks: readonly ContentBlock[], path: string, notes: Notes): HubTextBlock[] {
  const texts = blocks.filter(
    (block): block is Extract<ContentBlock, { type: 'text' }> => block.type === 'text',
  )
  if (texts.length < blocks.length)
    notes.add('part_dropped', `${path}.content`, 'only messages of users may hold images and files')
  return texts
}

/** Its summary is the text that the hub has: that is where our own answers put it. */
function decodeReasoning(item: JsonObject, path: string, { turns }: ItemReading): void {
  const thinking =
    reasoningText(item.summary, `${path}.summary`) || reasoningText(item.content, `${path}.content`)
  const { encrypted_content: content } = item
  if (typeof content !== 'string' || content === '' || content === UNSIGNED) {
    if (thinking !== '') turns.add('assistant', [{ type: 'thinking', thinking, signature: '' }])
    return
  }
  const proof = fromEncryptedContent(content)
  const block: HubBlock =
    'redacted' in proof
      ? { type: 'redacted_thinking', data: proof.redacted }
      : { type: 'thinking', thinking, signature: proof.signature }
  turns.add('assistant', [block])
}

function reasoningText(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  const parts = expectArray(value, path).map((part, index) => {
    const at = `${path}[${index}]`
    return expectString(expectObject(part, at), 'text', at)
  })
  return parts.join('\n\n')
}

function decodeFunctionCall(item: JsonObject, path: string, { turns, tools }: ItemReading): void {
  const input = inputOfText(expectString(item, 'arguments', path))
  addCall(item, { kind: 'function', path, input, turns, tools })
}

function decodeCustomCall(item: JsonObject, path: string, { turns, tools }: ItemReading): void {
  const input = { [FREE_TEXT_INPUT]: expectString(item, 'input', path) }
  addCall(item, { kind: 'custom', path, input, turns, tools })
}

function decodeBuiltInCall(
  item: JsonObject,
  path: string,
  { turns, tools, part }: ItemReading & { readonly part: 'action' | 'operation' },
): void {
  const input = { ...expectShallowObject(item[part], `${path}.${part}`) }
  // A command's only kind; of a patch it says what is to be done.
  if (part === 'action') delete input['type']
  const kind = String(item.type).replace(/_call$/, '') as CallKind
  addCall({ ...item, name: kind }, { kind, path, input, turns, tools })
}

function decodeToolSearch(item: JsonObject, path: string, { turns, tools, notes }: ItemReading): void {
  if (item.execution !== 'client') {
    notes.add('item_dropped', path, "a search for tools by OpenAI's server")
    return
  }
  const input = isJsonObject(item.arguments) ? item.arguments : inputOfText(textOf(item.arguments))
  addCall({ ...item, name: 'tool_search' }, { kind: 'tool_search', path, input, turns, tools })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface Call extends Pick<ItemReading, 'turns' | 'tools'> {
  readonly kind: CallKind
  readonly path: string
  readonly input: unknown
}

function addCall(item: JsonObject, { kind, path, input, turns, tools }: Call): void {
  const { namespace } = item
  const name = tools.hubName({
    kind,
    name: expectText(item, 'name', path),
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
  })
  turns.add('assistant', [{ type: 'tool_use', id: expectText(item, 'call_id', path), name, input }])
}

/** The output of a local shell has had its call's id in `id`. */
function callIdOf(item: JsonObject, path: string): string {
  const id = item.call_id ?? (item.type === 'local_shell_call_output' ? item.id : undefined)
  if (typeof id === 'string' && id !== '') return id
  throw unexpectedValue(`${path}.call_id`, 'non-empty string', item.call_id)
}

function decodeOutput(item: JsonObject, path: string, { turns, notes }: ItemReading): void {
  const content = decodeContent(item.output ?? '', `${path}.output`, notes)
  addResult(item, { path, turns, content })
}

function decodeShellOutput(item: JsonObject, path: string, { turns }: ItemReading): void {
  const runs = expectArray(item.output, `${path}.output`).map((run) =>
    isJsonObject(run) ? shellWords(run) : '',
  )
  addResult(item, { path, turns, content: [{ type: 'text', text: runs.join('\n\n') }] })
}

function shellWords({ stdout, stderr, outcome }: JsonObject): string {
  const end = isJsonObject(outcome) && outcome.type === 'timeout' ? 'timed out' : exitWords(outcome)
  return [stdout, stderr, `[${end}]`].filter((text) => typeof text === 'string' && text !== '').join('\n')
}

function exitWords(outcome: unknown): string {
  return `exit code ${isJsonObject(outcome) ? String(outcome.exit_code) : 'unknown'}`
}

function decodePatchOutput(item: JsonObject, path: string, { turns }: ItemReading): void {
  const isError = item.status === 'failed'
  const said = typeof item.output === 'string' && item.output !== '' ? item.output : undefined
  const text = said ?? (isError ? 'The patch was not applied.' : 'The patch was applied.')
  addResult(item, { path, turns, content: [{ type: 'text', text }], isError })
}

/** The tools that a search found are offered from now on. */
function decodeFoundTools(item: JsonObject, path: string, { turns, offered, notes }: ItemReading): void {
  if (item.execution !== 'client' && !item.call_id) {
    notes.add('item_dropped', path, "a search for tools by OpenAI's server")
    offered.add(item.tools, `${path}.tools`)
    return
  }
  const names = offered.add(item.tools, `${path}.tools`)
  const text =
    names.length === 0 ? 'No tools were found.' : `These tools can be used now: ${names.join(', ')}.`
  addResult(item, { path, turns, content: [{ type: 'text', text }] })
}

interface Result extends Pick<ItemReading, 'turns'> {
  readonly path: string
  readonly content: ContentBlock[]
  readonly isError?: boolean
}

function addResult(item: JsonObject, { path, turns, content, isError }: Result): void {
  const [first = { type: 'text', text: '' }] = content
  const isPlain = content.length < 2 && first.type === 'text' && first.cache_control === undefined
  turns.add('user', [
    {
      type: 'tool_result',
      tool_use_id: callIdOf(item, path),
      content: isPlain ? first.text : content,
      ...(isError === true && { is_error: true }),
    },
  ])
}

function decodeReference(item: JsonObject, path: string, reading: ItemReading): void {
  const found = reading.itemOf(expectText(item, 'id', path), path)
  // What is kept are items of answers: never references again.
  if (found.type !== 'item_reference') decodeItem(found, path, reading)
}
