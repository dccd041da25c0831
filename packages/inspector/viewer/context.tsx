import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ContextPart, ContextView, ExchangeEntry } from '../src/page/page-data.ts'
import { bytes, cachedShare, count, number } from './figures.ts'
import { TableBox } from './table-box.tsx'
import { visible } from './text.tsx'

/** This many parts are listed at first. */
const SHOWN = 25

const KINDS: readonly ContextPart['kind'][] = ['system', 'tool', 'message']

/** What one part of a kind is called. */
const ONE: Readonly<Record<ContextPart['kind'], string>> = {
  system: 'system text',
  tool: 'tool',
  message: 'message',
}

/** What fills the context, the largest first, and where the beginning stopped to be the same. */
export function Context({
  context,
  entry,
}: {
  readonly context: ContextView | undefined
  readonly entry: ExchangeEntry
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  if (context === undefined)
    return <p class="muted">The request cannot be read, so nobody knows what fills it.</p>
  const { parts, bytes: total } = context
  const tokens = inputTokens(entry)
  const ranked = parts.toSorted((one, other) => other.bytes - one.bytes)
  const shown = isWhole ? ranked : ranked.slice(0, SHOWN)
  return (
    <>
      <Kinds parts={parts} total={total} tokens={tokens} />
      <Prefix context={context} entry={entry} />
      <h4>Ranked by size</h4>
      <Ranked parts={shown} total={total} tokens={tokens} />
      {shown.length < ranked.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {ranked.length} parts
        </button>
      )}
      <p class="muted">
        {tokens === undefined
          ? 'The upstream counted no tokens: one token is taken for four bytes.'
          : `Tokens are the ${number(tokens)} that the upstream counted, shared out by bytes.`}
      </p>
    </>
  )
}

interface Sized {
  readonly parts: readonly ContextPart[]
  readonly total: number
  readonly tokens: number | undefined
}

function Ranked({ parts, total, tokens }: Sized): JSX.Element {
  return (
    <TableBox>
      <table>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" class="figure minor">
              Bytes
            </th>
            <th scope="col" class="figure">
              Tokens, about
            </th>
            <th scope="col" class="figure">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <tr key={index}>
              <td class="name">
                <span class={`swatch stack-${part.kind}`} role="img" aria-label={part.kind} />{' '}
                {visible(part.label)}
                <span class="about">{visible(part.about)}</span>
              </td>
              <td class="figure minor">{number(part.bytes)}</td>
              <td class="figure">{number(aboutTokens(part.bytes, total, tokens))}</td>
              <td class="figure share">
                <span class={`stack-${part.kind}`} style={{ width: `${shareOf(part, total)}%` }} />
                {Math.round(shareOf(part, total))} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

function Kinds(props: {
  readonly parts: readonly ContextPart[]
  readonly total: number
  readonly tokens: number | undefined
}): JSX.Element {
  const { parts, total, tokens } = props
  const sums = KINDS.map((kind) => {
    const own = parts.filter((part) => part.kind === kind)
    return { kind, many: own.length, size: own.reduce((sum, part) => sum + part.bytes, 0) }
  })
  return (
    <>
      <div
        class="stack"
        role="img"
        aria-label={sums.map(({ kind, size }) => `${kind} ${bytes(size)}`).join(', ')}
      >
        {sums.map(({ kind, size }) => (
          <span
            key={kind}
            class={`stack-${kind}`}
            style={{ width: `${(size / Math.max(1, total)) * 100}%` }}
          />
        ))}
      </div>
      <ul class="legend">
        {sums.map(({ kind, many, size }) => (
          <li key={kind}>
            <span class={`swatch stack-${kind}`} /> {count(many, ONE[kind])} · {bytes(size)} · about{' '}
            {number(aboutTokens(size, total, tokens))} tokens
          </li>
        ))}
      </ul>
    </>
  )
}

function Prefix({
  context: { prefix, bytes: total },
  entry,
}: {
  readonly context: ContextView
  readonly entry: ExchangeEntry
}): JSX.Element {
  if (prefix === undefined)
    return <p class="muted">Nothing before this call goes on here, so nothing could be cached.</p>
  const tokens = inputTokens(entry)
  const { against, same, before, broken } = prefix
  const cached = cachedShare({ input: tokens ?? 0, cached: entry.tokens?.fromCache ?? 0 })
  if (broken === undefined) {
    return (
      <p class="good">
        It begins with all {bytes(before)} of exchange {against}: the cache can serve them. From the cache
        came {cached}.
      </p>
    )
  }
  const lost = aboutTokens(before - same, total, tokens)
  return (
    <div class="alert">
      <p>
        The beginning differs from exchange {against} at <strong>{visible(broken.label)}</strong>, after{' '}
        {bytes(same)}. What came behind it, about {number(lost)} tokens, cannot come from the cache. From the
        cache came {cached}.
      </p>
      <dl class="differs">
        <dt>was</dt>
        <dd>
          <code>{visible(broken.was)}</code>
        </dd>
        <dt>is</dt>
        <dd>
          <code>{visible(broken.is)}</code>
        </dd>
      </dl>
    </div>
  )
}

function shareOf({ bytes: size }: ContextPart, total: number): number {
  return (size / Math.max(1, total)) * 100
}

function inputTokens({ tokens }: ExchangeEntry): number | undefined {
  if (tokens === undefined) return undefined
  return (tokens.input ?? 0) + (tokens.fromCache ?? 0) + (tokens.toCache ?? 0)
}

function aboutTokens(size: number, total: number, tokens: number | undefined): number {
  return tokens === undefined ? size / 4 : (size / Math.max(1, total)) * tokens
}
