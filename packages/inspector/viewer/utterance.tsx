import type { JSX } from 'preact'
import type { Utterance } from '../src/summary/session-summary.ts'
import { Copy, Fold, indented, LongText, visible } from './text.tsx'

/** One thing that somebody said or did. */
export function UtteranceView({
  utterance,
  result,
}: {
  readonly utterance: Utterance
  readonly result?: Utterance | undefined
}): JSX.Element {
  const { who, kind, reminder, text } = utterance
  if (reminder === true || who === 'system')
    return <Folded label={reminder === true ? 'reminder of the client' : 'system'} text={text} />
  if (kind === 'thinking') return <Folded label="thinking" text={text} className="thinking" />
  if (kind === 'call') return <CallView call={utterance} result={result} />
  if (kind === 'result') return <ResultView result={utterance} />
  return (
    <div class={`utterance ${kind} ${who === 'assistant' ? 'model' : 'person'}`}>
      <div class="who">
        <strong>{visible(who === 'assistant' ? 'model' : who)}</strong>
        <Badges utterance={utterance} />
        <Copy label="Copy" text={() => text} />
      </div>
      <Picture utterance={utterance} />
      <LongText text={text} className={utterance.image === undefined ? 'text' : 'muted'} />
    </div>
  )
}

/** What is folded: its size, and its first words. */
export function Folded(props: {
  readonly label: string
  readonly text: string
  /** Whose first words are shown; by default those of the text. */
  readonly hint?: string
  readonly className?: string
}): JSX.Element {
  const { label, text, hint = text, className = '' } = props
  const start = visible(hint.slice(0, 120).replaceAll(/\s+/g, ' '))
  return (
    <Fold
      className={`utterance quiet ${className}`}
      label={
        <>
          <strong>{label}</strong>
          <span class="hint">{start}</span>
        </>
      }
    >
      {() => <LongText text={text} />}
    </Fold>
  )
}

function CallView({
  call,
  result,
}: {
  readonly call: Utterance
  readonly result: Utterance | undefined
}): JSX.Element {
  return (
    <div class="utterance call">
      <div class="who">
        <strong>calls {visible(call.name ?? '?')}</strong>
        <Badges utterance={call} />
        <Copy label="Copy" text={() => call.text} />
      </div>
      <div class="call-pair">
        <LongText className="code" text={indented(call.text)} />
        {result === undefined ? (
          <p class="muted">no result is known yet</p>
        ) : (
          <div class="result">
            <Badges utterance={result} />
            <Picture utterance={result} />
            <LongText className="code" text={result.text} />
          </div>
        )}
      </div>
    </div>
  )
}

function ResultView({ result }: { readonly result: Utterance }): JSX.Element {
  return (
    <div class="utterance result">
      <div class="who">
        <strong>{visible(result.name ?? 'tool')} answers</strong>
        <Badges utterance={result} />
      </div>
      <Picture utterance={result} />
      <LongText className="code" text={result.text} />
    </div>
  )
}

function Badges({ utterance: { failed, cut } }: { readonly utterance: Utterance }): JSX.Element {
  return (
    <>
      {failed === true && <span class="badge error">failed</span>}
      {cut === true && <span class="badge error">cut off</span>}
    </>
  )
}

function Picture({ utterance: { image } }: { readonly utterance: Utterance }): JSX.Element | null {
  if (image === undefined) return null
  return (
    <img class="picture" alt={`picture, ${image.type}`} src={`data:${image.type};base64,${image.base64}`} />
  )
}
