import * as fc from 'fast-check'
import { GEMINI, sealEnvelope } from '../../src/identity/envelope.ts'
import { ToolNames } from '../../src/identity/tool-names.ts'
import { deepFreeze } from '../deep-freeze.ts'
import { parameters, SCHEMAS } from './parameters.ts'

type Block = Readonly<Record<string, unknown>>
/** Makes a block; the mark is a text that occurs nowhere else in the request. */
type BlockMaker = (mark: () => string) => Block

interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly BlockMaker[]
  readonly asString: boolean
  readonly extra: Readonly<Record<string, unknown>>
}

/** A request as a client may send it, however odd; frozen all the way down. */
export interface ClientBody {
  readonly model: string
  readonly messages: readonly ClientMessage[]
  readonly [field: string]: unknown
}

/** One message of it. */
export interface ClientMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: unknown
  readonly clear_at?: string
}

const LONG_NAME = `mcp__${'a-long-name_'.repeat(8)}end`
const SHORT_OF_ODD = new ToolNames(64).toWire('odd name')
const NAMES = [
  'Read',
  'read',
  'Bash',
  LONG_NAME,
  `${LONG_NAME}2`,
  'odd name',
  SHORT_OF_ODD,
  'ünïcode',
  '__proto__',
]

const CARRIER = 'hyd1_Y2FsbF8w'
const IDS = [
  'a',
  'b',
  'a_2',
  'call_0',
  CARRIER,
  'functions.Read:0',
  'x'.repeat(64),
  '123456789',
  'ü',
  'two words',
]

const toolName = fc.constantFrom(...NAMES)
const callId = fc.constantFrom(...IDS)
const flag = fc.boolean()
/** Some texts end in half a character. */
const tail = fc.constantFrom('', '', '', '', ' \ud83d', ' 😀', '\n\n"quoted" \\ud800')

const PNG = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }

function text(end: string): BlockMaker {
  return (mark) => ({ type: 'text', text: mark() + end })
}

const textBlock = tail.map(text)
const emptyText = fc.constant<BlockMaker>(() => ({ type: 'text', text: '' }))
const image = fc.constantFrom<BlockMaker>(
  () => ({ type: 'image', source: PNG }),
  () => ({ type: 'image', source: { type: 'url', url: 'https://images.example/a.png' } }),
)
const document = fc.constantFrom<BlockMaker>(
  () => ({ type: 'document', source: PDF }),
  (mark) => ({ type: 'document', title: mark(), context: mark(), source: PDF }),
  (mark) => ({
    type: 'document',
    title: mark(),
    source: { type: 'text', media_type: 'text/plain', data: mark() },
  }),
  (mark) => ({
    type: 'document',
    context: mark(),
    source: {
      type: 'content',
      content: [
        { type: 'text', text: mark() },
        { type: 'image', source: PNG },
      ],
    },
  }),
)
const searchResult = tail.map((end): BlockMaker => (mark) => ({
  type: 'search_result',
  title: mark() + end,
  source: mark(),
  content: [{ type: 'text', text: mark() }],
}))
const thinking = tail.map((end): BlockMaker => (mark) => ({ type: 'thinking', thinking: mark() + end }))
const redacted = fc.constant<BlockMaker>(() => ({ type: 'redacted_thinking', data: 'ZGF0YQ==' }))
const envelope = callId.map((id): BlockMaker => () => ({
  type: 'thinking',
  thinking: '',
  signature: sealEnvelope({ by: GEMINI, proof: 'c2ln', callId: id }),
}))
const unknownBlock = fc.constant<BlockMaker>((mark) => ({ type: 'of_tomorrow', says: mark() }))
const serverBlock = fc.constant<BlockMaker>((mark) => ({
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: mark() },
}))
const compaction = fc.constant<BlockMaker>((mark) => ({ type: 'compaction', content: mark() }))
const reference = toolName.map((name): BlockMaker => () => ({ type: 'tool_reference', tool_name: name }))

const resultContent = fc.oneof(
  fc.constant(undefined),
  fc.constant(''),
  tail,
  fc.array(
    fc.oneof(textBlock, textBlock, emptyText, image, document, searchResult, reference, unknownBlock),
    {
      maxLength: 3,
    },
  ),
)

const result = fc.tuple(callId, resultContent, flag).map(([id, content, failed]): BlockMaker => (mark) => {
  const head = { type: 'tool_result', tool_use_id: id, ...(failed ? { is_error: true } : {}) }
  if (content === undefined) return head
  if (typeof content === 'string') return { ...head, content: content === '' ? '' : mark() + content }
  return { ...head, content: content.map((block) => block(mark)) }
})

const call = fc
  .tuple(callId, toolName, tail, flag)
  .map(([id, name, end, hasInput]): BlockMaker => (mark) => ({
    type: 'tool_use',
    id,
    name,
    ...(hasInput ? { input: { text: mark() + end } } : {}),
  }))

const userBlock = fc.oneof(
  { weight: 4, arbitrary: textBlock },
  { weight: 4, arbitrary: result },
  fc.oneof(emptyText, image, document, searchResult, thinking, unknownBlock),
)
const assistantBlock = fc.oneof(
  { weight: 4, arbitrary: textBlock },
  { weight: 4, arbitrary: call },
  { weight: 2, arbitrary: thinking },
  fc.oneof(emptyText, redacted, envelope, serverBlock, compaction, image, unknownBlock),
)

const userTurn: fc.Arbitrary<Turn> = fc.record({
  role: fc.constant('user'),
  blocks: fc.array(userBlock, { maxLength: 4 }),
  asString: flag,
  extra: fc.constant({}),
})
const assistantTurn: fc.Arbitrary<Turn> = fc.record({
  role: fc.constant('assistant'),
  blocks: fc.array(assistantBlock, { maxLength: 4 }),
  asString: flag,
  extra: fc.constant({}),
})
const systemTurn: fc.Arbitrary<Turn> = fc.record({
  role: fc.constant('system'),
  blocks: fc.array(textBlock, { maxLength: 2 }),
  asString: flag,
  extra: fc.constantFrom({}, {}, { output_config: { effort: 'low' } }, { clear_at: 'next_user_message' }),
})

/** A round as it should be: calls, and their results in any order. */
const goodRound: fc.Arbitrary<Turn[]> = fc
  .tuple(fc.uniqueArray(callId, { minLength: 1, maxLength: 3 }), toolName, flag)
  .map(([ids, name, isReversed]) => {
    const calls = ids.map((id): BlockMaker => (mark) => ({
      type: 'tool_use',
      id,
      name,
      input: { text: mark() },
    }))
    const results = ids.map((id): BlockMaker => (mark) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: mark(),
    }))
    return [
      { role: 'assistant', blocks: [text(''), ...calls], asString: false, extra: {} },
      { role: 'user', blocks: isReversed ? results.toReversed() : results, asString: false, extra: {} },
    ]
  })

const goodTurns = fc.constant<Turn[]>([
  { role: 'user', blocks: [text('')], asString: true, extra: {} },
  { role: 'assistant', blocks: [text('')], asString: true, extra: {} },
  { role: 'user', blocks: [text('')], asString: false, extra: {} },
])

const history: fc.Arbitrary<Turn[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: goodRound },
      { weight: 2, arbitrary: goodTurns },
      { weight: 4, arbitrary: fc.oneof(userTurn, assistantTurn, systemTurn).map((turn) => [turn]) },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.flat())

const tools = fc.uniqueArray(
  fc.record({ name: toolName, input_schema: fc.constantFrom(...SCHEMAS), defer_loading: flag, strict: flag }),
  { maxLength: 6, selector: ({ name }) => name },
)

const maxTokens = fc.constantFrom(0, 1, 4096, 128_000)
const choice = fc.constantFrom('auto', 'any', 'none', 'tool', undefined)

/** Random requests: any history, any tools, any parameters. */
export const clientBody: fc.Arbitrary<ClientBody> = fc
  .record({ turns: history, tools, parameters, maxTokens, choice, serial: flag })
  .map(({ turns, tools: offered, parameters: fields, maxTokens: limit, choice: type, serial }) => {
    const mark = counter()
    const named = offered.map((tool) => ({ ...tool, description: mark() }))
    const name = type === 'tool' ? named.at(-1)?.name : undefined
    const chosen = type === 'tool' && name === undefined ? undefined : type
    return deepFreeze({
      model: 'claude-test',
      max_tokens: limit,
      ...fields,
      ...(named.length > 0 || serial ? { tools: named } : {}),
      ...(chosen === undefined
        ? {}
        : { tool_choice: { type: chosen, disable_parallel_tool_use: serial, ...(name ? { name } : {}) } }),
      messages: turns.map((turn) => messageFrom(turn, mark)),
    })
  })

function counter(): () => string {
  let count = 0
  return () => `<${(count += 1)}>`
}

function messageFrom({ role, blocks, asString, extra }: Turn, mark: () => string): ClientMessage {
  const made = blocks.map((block) => block(mark))
  const [first] = made
  const isText = asString && made.length === 1 && first?.['type'] === 'text'
  return { role, content: isText ? first['text'] : made, ...extra }
}
