import { type ReadChunks, readChunks } from '../../chat-client/read-chunks.ts'
import type { ClientReader, Told, ToldCall, ToldWords } from '../client-reader.ts'
import { inputFrom } from '../input-from.ts'
import { TOOLS } from '../meant-answer.ts'

/** A client of Chat Completions that wants to know the usage, as the official SDK's helpers do. */
export const openaiChatReader: ClientReader = {
  keepsOrder: false,
  carriesProofs: false,
  ask: (stream) => ({
    body: {
      ...ASKED,
      ...(stream && { stream, stream_options: { include_usage: true } }),
      messages: [FIRST],
    },
  }),
  askAgain: (answers) => ({ body: { ...ASKED, stream: true, messages: [FIRST, ...answers.flatMap(round)] } }),
  read,
  readWhole,
}

const FIRST = { role: 'user', content: 'Hello.' }
const ASKED = {
  model: 'gpt-test',
  tools: TOOLS.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
}

const STOPS: Readonly<Record<string, NonNullable<Told['stop']>>> = {
  stop: 'end',
  tool_calls: 'tools',
  length: 'length',
  content_filter: 'filter',
}

function read(output: string): Told {
  return toldOf(readChunks(output, { usage: true }))
}

interface WholeAnswer {
  readonly choices: readonly [
    {
      readonly finish_reason: string
      readonly message: {
        readonly content: string | null
        readonly reasoning_content?: string
        readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
      }
    },
  ]
  readonly usage: Readonly<Record<string, unknown>>
}

function readWhole(body: string): Told {
  const { choices, usage } = JSON.parse(body) as WholeAnswer
  const [{ message, finish_reason: finish }] = choices
  return toldOf({
    text: message.content ?? '',
    reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      id,
      type: 'function',
      name,
      input,
    })),
    finish,
    usage,
    error: undefined,
  })
}

type Read = Pick<ReadChunks, 'text' | 'reasoning' | 'calls' | 'finish' | 'usage' | 'error'>

function toldOf({ text, reasoning, calls, finish, usage, error }: Read): Told {
  const blocks: (ToldWords | ToldCall)[] = []
  if (reasoning !== '') blocks.push({ type: 'thinking', content: reasoning, proof: '' })
  if (text !== '') blocks.push({ type: 'text', content: text, proof: '' })
  // What came before an error may be cut off anywhere.
  if (error === undefined) {
    for (const { id, name, input } of calls)
      blocks.push({ type: 'tool_use', id, name, input: inputFrom(input) })
  }
  return {
    blocks,
    stop: finish === undefined ? undefined : STOPS[finish],
    usage: usage && { input: Number(usage['prompt_tokens']), output: Number(usage['completion_tokens']) },
    error: error && String(error['message']),
    turn: turnOf(blocks),
  }
}

function turnOf(blocks: readonly (ToldWords | ToldCall)[]): object[] {
  const said = (type: string): string =>
    blocks.map((block) => (block.type === type && 'content' in block ? block.content : '')).join('')
  const calls = blocks.filter((block) => block.type === 'tool_use')
  if (said('text') === '' && calls.length === 0) return []
  return [
    {
      role: 'assistant',
      content: said('text') === '' ? null : said('text'),
      ...(said('thinking') !== '' && { reasoning_content: said('thinking') }),
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ]
}

function round({ blocks, turn }: Told): unknown[] {
  const calls = blocks.filter((block) => block.type === 'tool_use')
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' }))
  return [...turn, ...results, { role: 'user', content: 'Go on.' }]
}
