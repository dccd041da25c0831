import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeEntry, ExchangePage } from '../src/page/page-data.ts'
import type { Source } from './source.ts'
import { Copy } from './text.tsx'
import { gatewayUrl } from './gateway-url.ts'

/** What can be done with an exchange. */
export function Actions(props: {
  readonly source: Source
  readonly entry: ExchangeEntry
  readonly page: ExchangePage | undefined
  /** The request is on its way once more. */
  readonly onSent: () => void
}): JSX.Element {
  const { source, entry, page, onSent } = props
  // What is on a tape already is saved already.
  const isKept = source.isLive && entry.id.startsWith('live-')
  return (
    <div class="actions">
      <div class="group" role="group" aria-label="Copy">
        <span aria-hidden="true">Copy</span>
        {page !== undefined && <Copy label="answer" text={() => answerText(page)} />}
        {page !== undefined && <Copy label="JSON" text={() => JSON.stringify(page.summary, undefined, 2)} />}
        {isKept && page !== undefined && <Copy label="curl" text={() => curlText(entry, page)} />}
        {isKept && <Copy label="explain command" text={() => explainText(entry)} />}
        <Copy label="link" text={() => location.href} />
      </div>
      {isKept && <Saves entry={entry} />}
      {isKept && <Again source={source} entry={entry} onSent={onSent} />}
    </div>
  )
}

function Saves({ entry: { id, number, session } }: { readonly entry: ExchangeEntry }): JSX.Element {
  const files = [
    ['request', 'request', `request-${number}.json`],
    ['tape', 'tape', `exchange-${number}.tape.jsonl`],
    ['session as HTML', 'html', `session-${session}.html`],
  ] as const
  return (
    <div class="group" role="group" aria-label="Save">
      <span aria-hidden="true">Save</span>
      {files.map(([label, part, name]) => (
        <a
          key={part}
          class="button small"
          aria-label={`Save ${label}`}
          href={`api/exchanges/${id}/${part}`}
          download={name}
        >
          {label}
        </a>
      ))}
    </div>
  )
}

function answerText({ summary }: ExchangePage): string {
  const said = summary.answer?.utterances ?? []
  return said.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).join('\n\n')
}

/** Where the files of an exchange are, for a shell; the key is a variable, because no key is ever shown. */
function fetched({ id }: ExchangeEntry, part: string): string {
  const page = `${location.origin}${location.pathname}`
  return `curl -s -H "x-hydra-key: $HYDRA_KEY" '${page}api/exchanges/${id}/${part}'`
}

/** Sends the same request once more, from a shell. */
function curlText(entry: ExchangeEntry, { requests }: ExchangePage): string {
  const [method = 'POST', path = '/'] = (requests[0]?.line ?? '').split(' ')
  return [
    `${fetched(entry, 'request')} |`,
    `  curl -N -X ${method} -H "x-hydra-key: $HYDRA_KEY" -H 'content-type: application/json' \\`,
    `    --data-binary @- '${gatewayUrl()}${path.replaceAll("'", '%27')}'`,
  ].join('\n')
}

/** Says block by block how the same request is translated. */
function explainText(entry: ExchangeEntry): string {
  const model = entry.called === undefined ? '' : ` --model '${entry.called.replaceAll("'", '')}'`
  return `${fetched(entry, 'request')} | hydra explain - --client ${entry.client}${model}`
}

function Again(props: {
  readonly source: Source
  readonly entry: ExchangeEntry
  readonly onSent: () => void
}): JSX.Element {
  const { source, entry, onSent } = props
  const [model, setModel] = useState('')
  const [route, setRoute] = useState('')
  const [words, setWords] = useState('')
  const send = async (): Promise<void> => {
    setWords('sent')
    onSent()
    setWords((await source.again(entry.id, { model, route })) ?? 'answered; see Compare')
  }
  return (
    <form
      class="group again"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <span aria-hidden="true">Send again</span>
      {source.routes.length > 1 && (
        <select aria-label="Route" value={route} onChange={(event) => setRoute(event.currentTarget.value)}>
          <option value="">by its own route</option>
          {source.routes.map((name) => (
            <option key={name} value={name}>
              by {name}
            </option>
          ))}
        </select>
      )}
      <input
        list="models"
        aria-label="Model"
        value={model}
        placeholder={entry.asked ?? 'the same model'}
        onInput={(event) => setModel(event.currentTarget.value)}
      />
      <datalist id="models">
        {source.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" class="small primary">
        Send
      </button>
      <span class="muted" role="status">
        {words}
      </span>
    </form>
  )
}
