import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

/** More than this of a text is shown only when somebody asks for it. */
const MAX_SHOWN = 6000

/** A text as text, whatever is in it; a long one is cut, with what is missing. */
export function LongText({
  text,
  className = 'text',
}: {
  readonly text: string
  readonly className?: string
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole || text.length <= MAX_SHOWN ? text : text.slice(0, MAX_SHOWN).toWellFormed()
  return (
    <>
      <div class={className}>{visible(shown)}</div>
      {shown.length < text.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en-US')} characters
        </button>
      )}
    </>
  )
}

/** Joiners are left: emoji and some scripts need them. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Characters that are not seen, or that turn the direction of others, are written out. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => {
    if (character === '\r') return ''
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

/** What opens to show more; it is drawn when it is opened. */
export function Fold(props: {
  readonly label: ComponentChildren
  readonly children: () => ComponentChildren
  readonly className?: string
  readonly open?: boolean
}): JSX.Element {
  const { label, children, className = '', open = false } = props
  const [isOpen, setOpen] = useState(open)
  return (
    <details
      class={`fold ${className}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {isOpen && children()}
    </details>
  )
}

/** Copies a text when it is pressed. */
export function Copy({ label, text }: { readonly label: string; readonly text: () => string }): JSX.Element {
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    await write(text())
    setDone(true)
    setTimeout(() => setDone(false), 1200)
  }
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {isDone ? 'Copied' : label}
    </button>
  )
}

/** Browsers have a clipboard for scripts only where nobody can listen in: on this machine, or over TLS. */
async function write(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard !== undefined) return clipboard.writeText(text)
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.className = 'sr'
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
}

/** JSON with line breaks; what is no JSON stays as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
