import type { ExchangeAccount, Saying } from '../../show/account.ts'
import type { ExchangePage } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** What was new in the request, what was answered, and how it ended. */
export function storyPanel(tools: Tools, { account }: ExchangePage): PageElement {
  const { ending, marks } = account
  const { make, section } = tools
  const end = ending.kind === 'clean' ? [] : [make('p', 'alert', `Ended as ${ending.kind}: ${ending.words}`)]
  return section(
    'Story',
    ...marks.map((mark) => make('p', 'muted', `Mark: ${mark}`)),
    ...requestNodes(tools, account.request),
    ...answerNodes(tools, account.answer),
    ...end,
  )
}

function requestNodes(tools: Tools, request: ExchangeAccount['request']): PageElement[] {
  const { make } = tools
  if (request === undefined) return [make('p', 'muted', 'The request is not on the tape.')]
  const { trouble, continues, changed, fresh } = request
  return [
    ...(trouble === undefined ? [] : [make('p', 'alert', `The request: ${trouble}`)]),
    ...(continues === undefined ? [] : [make('p', 'muted', beforeWords(continues, changed))]),
    ...fresh.map((saying) => sayingNode(tools, saying.who, saying)),
  ]
}

function answerNodes(tools: Tools, answer: ExchangeAccount['answer']): PageElement[] {
  const { make } = tools
  if (answer === undefined) return [make('p', 'muted', 'Nothing was answered.')]
  const { sayings, stopReason, whole } = answer
  return [
    ...sayings.map((saying) => sayingNode(tools, saying.who === 'assistant' ? 'model' : saying.who, saying)),
    ...(stopReason === undefined ? [] : [make('p', 'muted', `The model stopped: ${stopReason}`)]),
    ...(whole ? [] : [make('p', 'alert', 'The answer did not come to its own end.')]),
  ]
}

function beforeWords(
  { exchange, messages, thenAssistant }: NonNullable<NonNullable<ExchangeAccount['request']>['continues']>,
  changed: readonly string[],
): string {
  const count = `${messages} message${messages === 1 ? '' : 's'} as in exchange ${exchange}`
  const turn = thenAssistant ? ", then the assistant's turn" : ''
  return `${count}${turn}${changed.length === 0 ? '' : `; changed: ${changed.join(', ')}`}.`
}

function sayingNode({ make, longText }: Tools, who: string, saying: Saying): PageElement {
  const { kind, name = '', text, failed, cut } = saying
  const verbs = {
    text: 'says',
    thinking: 'thinks',
    call: `calls ${name}`,
    result: `${name} answers`,
    other: 'sends',
  }
  const label = make('div', 'who', make('strong', '', who), ` ${verbs[kind]}`)
  if (failed === true) label.append(' ', make('span', 'badge error', 'failed'))
  if (cut === true) label.append(' ', make('span', 'badge error', 'cut off'))
  return make('div', `saying ${kind} ${who === 'model' ? 'model' : 'other'}`, label, longText(text))
}

/** What was changed on the way, in words. */
export function notesPanel({ make, section }: Tools, { account }: ExchangePage): PageElement {
  const { notes } = account
  if (notes.length === 0) return section('Notes', make('p', 'muted', 'There is no note on the tape.'))
  const items = notes.map(({ code, path, message }) =>
    make(
      'li',
      '',
      message,
      ' ',
      make('code', '', code),
      ...(path === '' ? [] : [' at ', make('code', '', path)]),
    ),
  )
  return section('Notes', make('ul', 'notes', ...items))
}

/** The functions of this file, in the form in which the page gets them. */
export const STORY_FUNCTIONS: ViewerFunctions = [
  storyPanel,
  requestNodes,
  answerNodes,
  beforeWords,
  sayingNode,
  notesPanel,
]
