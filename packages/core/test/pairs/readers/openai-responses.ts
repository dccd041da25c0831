import type { ClientReader, Told, ToldCall, ToldWords } from '../client-reader.ts'
import { inputFrom } from '../input-from.ts'
import { TOOLS } from '../meant-answer.ts'
import type { Fields } from './read-items.ts'
import { readResponses } from './read-responses.ts'

/** A client of the Responses API that keeps its own history, as Codex does. */
export const openaiResponsesReader: ClientReader = {
  keepsOrder: true,
  carriesProofs: true,
  ask: (stream) => ({ body: { ...ASKED, stream, input: [FIRST] } }),
  askAgain: (answers) => ({ body: { ...ASKED, stream: true, input: [FIRST, ...answers.flatMap(round)] } }),
  read,
  readWhole: (body) => toldOf(JSON.parse(body) as Fields, undefined),
}

const FIRST = { role: 'user', content: 'Hello.' }
const ASKED = {
  model: 'gpt-test',
  store: false,
  include: ['reasoning.encrypted_content'],
  tools: TOOLS.map((name) => ({ type: 'function', name, parameters: { type: 'object' }, strict: false })),
}

function read(output: string): Told {
  const { response, error } = readResponses(output)
  return toldOf(response, error)
}

function toldOf(response: Fields, error: Fields | undefined): Told {
  const output = response['output'] as readonly Fields[]
  // What came before an error may be cut off anywhere.
  const blocks = error === undefined ? output.flatMap(blocksOf) : []
  const usage = response['usage'] as Fields | null
  return {
    blocks,
    stop: error === undefined ? stopOf(response, blocks) : undefined,
    usage:
      usage === null
        ? undefined
        : { input: Number(usage['input_tokens']), output: Number(usage['output_tokens']) },
    error: error && String(error['message']),
    turn: output,
  }
}

function stopOf({ status, incomplete_details: details }: Fields, blocks: Told['blocks']): Told['stop'] {
  // The context was full: the answer was cut off in it.
  if (status === 'failed') return 'length'
  if (status === 'incomplete') return (details as Fields)['reason'] === 'content_filter' ? 'filter' : 'length'
  return blocks.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
}

function blocksOf(item: Fields): (ToldWords | ToldCall)[] {
  switch (item['type']) {
    case 'message':
      return (item['content'] as Fields[]).map(({ text }) => ({
        type: 'text',
        content: String(text),
        proof: '',
      }))
    case 'reasoning':
      return [
        {
          type: 'thinking',
          content: (item['summary'] as Fields[]).map(({ text }) => String(text)).join(''),
          proof: (item['encrypted_content'] ?? '') as string,
        },
      ]
    case 'function_call':
      return [
        {
          type: 'tool_use',
          id: String(item['call_id']),
          name: String(item['name']),
          input: inputFrom(String(item['arguments'])),
        },
      ]
    case 'web_search_call':
      // The provider's own, which the client need not answer.
      return []
    default:
      throw new Error(`expected a message, reasoning or a call, got ${String(item['type'])}`)
  }
}

function round({ blocks, turn }: Told): unknown[] {
  const calls = blocks.filter((block) => block.type === 'tool_use')
  const results = calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'done' }))
  return [...turn, ...results, { role: 'user', content: 'Go on.' }]
}
