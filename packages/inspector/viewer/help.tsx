import type { JSX, RefObject } from 'preact'
import { FIELDS } from './filter.ts'

const KEYS: readonly (readonly [keys: readonly string[], text: string])[] = [
  [['j', '→'], 'next exchange'],
  [['k', '←'], 'previous exchange'],
  [['↓', '↑'], 'next and previous line, while the list has the focus'],
  [['Home', 'End'], 'first and last exchange, while the list has the focus'],
  [['1', '…', '7'], 'the parts of the exchange, from Conversation to Compare'],
  [['l'], 'to the list'],
  [['m'], 'to the exchange'],
  [['e'], 'open or close everything that is folded'],
  [['/'], 'to the filter'],
  [['?'], 'this help; Esc closes it'],
]

/** The keys, and what can be typed into the filter. */
export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }): JSX.Element {
  return (
    <dialog id="keys" ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, text]) => (
          <>
            <dt>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <h2>Filter</h2>
      <p>Words are looked for in all texts. In front of any part, ! means not.</p>
      <dl>
        {Object.entries(FIELDS).map(([letter, text]) => (
          <>
            <dt>
              <code>~{letter}</code>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <button type="button" id="hide-keys" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
