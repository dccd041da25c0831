import type { ExchangeAccount } from '../../show/account.ts'
import type { ExchangePage } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** The facts of an exchange at a glance. */
export function summaryPanel(tools: Tools, { account }: ExchangePage): PageElement {
  const { make } = tools
  const facts = [...routeFacts(account), ...timeFacts(tools, account), ...tokenFacts(account)]
  return make(
    'dl',
    'facts',
    ...facts.map(([name, value]) => make('div', '', make('dt', '', name), make('dd', '', value))),
  )
}

function routeFacts({ request, calls, status, ending }: ExchangeAccount): [string, string][] {
  const via = calls.at(-1)?.via
  const told =
    via?.toldModel === undefined || via.toldModel === via.model ? '' : ` (told as ${via.toldModel})`
  return [
    ['Ended', `${ending.kind}${status === undefined ? '' : `, status ${status}`}`],
    ['Asked for', request?.model ?? '–'],
    ...(via === undefined
      ? []
      : ([
          ['Route', `${via.upstream}, ${via.dialect}${via.passthrough === true ? ', passed through' : ''}`],
          ['Model', `${via.model ?? '–'}${told}`],
        ] as [string, string][])),
    ...calls.flatMap(({ retry, failure }, index): [string, string][] => {
      if (index === calls.length - 1) return []
      return [
        [
          `Call ${index + 1} failed`,
          `${failure ?? 'no answer'}${retry === undefined ? '' : ` (${retry.reason})`}`,
        ],
      ]
    }),
  ]
}

function timeFacts({ span, bytes }: Tools, { times }: ExchangeAccount): [string, string][] {
  const { begun, called = begun, head, firstToken, lastChunk, over, gaps, upstream, client } = times
  const sizes: [string, string][] = [
    [
      'From upstream',
      `${upstream.chunks} chunk${upstream.chunks === 1 ? '' : 's'}, ${bytes(upstream.bytes)}`,
    ],
    ['To the client', `${client.chunks} chunk${client.chunks === 1 ? '' : 's'}, ${bytes(client.bytes)}`],
  ]
  // Times that are all the same are none: the source of an imported tape did not keep them.
  if (over === begun) return [['Took', 'no times on the tape'], ...sizes]
  return [
    ['Took', span(over - begun)],
    ...(head === undefined ? [] : [['Head after', span(head - called)] as [string, string]]),
    ...(firstToken === undefined
      ? []
      : [['First token after', span(firstToken - called)] as [string, string]]),
    ...(firstToken === undefined || lastChunk === undefined
      ? []
      : [['Streaming', span(lastChunk - firstToken)] as [string, string]]),
    ...(gaps.length === 0
      ? []
      : [
          [
            'Silences',
            gaps.map(({ at, length }) => `${span(length)} after ${span(at - called)}`).join('; '),
          ] as [string, string],
        ]),
    ...sizes,
  ]
}

function tokenFacts({ tokens }: ExchangeAccount): [string, string][] {
  if (tokens === undefined) return []
  const { input, fromCache, toCache, output } = tokens
  const facts: readonly (readonly [string, number | undefined])[] = [
    ['Tokens in', input],
    ['From the cache', fromCache === 0 ? undefined : fromCache],
    ['To the cache', toCache === 0 ? undefined : toCache],
    ['Tokens out', output],
  ]
  return facts.flatMap(([name, count]): [string, string][] =>
    count === undefined ? [] : [[name, String(count)]],
  )
}

/** The functions of this file, in the form in which the page gets them. */
export const SUMMARY_FUNCTIONS: ViewerFunctions = [summaryPanel, routeFacts, timeFacts, tokenFacts]
