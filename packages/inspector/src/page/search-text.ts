import type { ExchangeSummary } from '../summary/session-summary.ts'

/** More than this of an exchange is not searched. */
const MAX_TEXT = 200_000

/** Everything that a search looks at in an exchange, in lower case: what is new in it, what was answered, by whom and with which status, and the notes. */
export function searchText({ request, answer, notes, calls, ending, status }: ExchangeSummary): string {
  const said = [...(request?.fresh ?? []), ...(answer?.utterances ?? [])]
  const parts = [
    ...said.flatMap(({ name = '', text }) => [name, text]),
    ...notes.flatMap(({ code, message }) => [code, message]),
    ...calls.flatMap(({ failure = '', via }) => [failure, via?.model ?? '', via?.upstream ?? '']),
    String(status ?? ''),
    ending.kind,
    ending.words,
    request?.model ?? '',
  ]
  return parts.join('\n').slice(0, MAX_TEXT).toLowerCase()
}
