import type { PageDocument, PageElement, ViewerFunctions } from './dom.ts'

/** What every part of the viewer builds with. */
export interface Tools {
  /** An element with a class and what is in it; a string is always text, never markup. */
  readonly make: (name: string, className: string, ...children: readonly Child[]) => PageElement
  /** Something to open; what is in it is made when it is opened for the first time. */
  readonly fold: (summary: readonly Child[], content: () => PageElement) => PageElement
  /** A section of the page with its heading. */
  readonly section: (title: string, ...children: readonly Child[]) => PageElement
  /** Long text with a button for the rest of it. */
  readonly longText: (text: string) => PageElement
  readonly span: (microseconds: number) => string
  readonly bytes: (count: number) => string
  /** The data that lies in an element of the page. */
  readonly data: (id: string) => unknown
  /** A piece of a request; the table of them is read when the first one is asked for. */
  readonly piece: (place: number) => string
}

type Child = PageElement | string

/** Makes the tools of a document. */
export function makeTools(page: PageDocument): Tools {
  const make: Tools['make'] = (name, className, ...children) => {
    const made = page.createElement(name)
    if (className !== '') made.className = className
    made.append(...children)
    return made
  }
  const data = (id: string): unknown => JSON.parse(page.getElementById(id)?.textContent ?? 'null')
  let pieces: readonly string[] | undefined
  return {
    make,
    fold: (summary, content) => makeFold(make, summary, content),
    section: (title, ...children) => make('section', 'panel', make('h3', '', title), ...children),
    longText: (text) => makeLongText(make, text),
    span: spanWords,
    bytes: (count) => (count < 1024 ? `${count} B` : `${(count / 1024).toFixed(1)} KB`),
    data,
    piece: (place) => {
      pieces ??= data('pieces') as readonly string[]
      return pieces[place] ?? ''
    },
  }
}

function makeFold(make: Tools['make'], summary: readonly Child[], content: () => PageElement): PageElement {
  const fold = make('details', 'fold', make('summary', '', ...summary))
  let isFilled = false
  fold.addEventListener('toggle', () => {
    if (isFilled || !fold.open) return
    isFilled = true
    fold.append(content())
  })
  return fold
}

function makeLongText(make: Tools['make'], text: string): PageElement {
  const limit = 2000
  if (text.length <= limit) return make('div', 'text', text)
  const shown = make('div', 'text', `${text.slice(0, limit)}…`)
  const more = make('button', 'more', `Show all ${text.length} characters`)
  more.addEventListener('click', () => {
    shown.textContent = text
    shown.tabIndex = -1
    shown.focus({ preventScroll: true })
    more.hidden = true
  })
  return make('div', '', shown, more)
}

function spanWords(microseconds: number): string {
  const milliseconds = microseconds / 1000
  if (milliseconds < 1000)
    return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

/** The functions of this file, in the form in which the page gets them. */
export const TOOL_FUNCTIONS: ViewerFunctions = [makeTools, makeFold, makeLongText, spanWords]
