/** What the viewer uses of a browser's elements. The rest of the program has no browser, so it has no such types. */
export interface PageElement {
  id: string
  className: string
  textContent: string | null
  title: string
  value: string
  hidden: boolean
  open: boolean
  tabIndex: number
  readonly isConnected: boolean
  readonly style: Record<string, string>
  append(...children: readonly (PageElement | string)[]): void
  replaceChildren(...children: readonly (PageElement | string)[]): void
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  querySelectorAll(selector: string): Iterable<PageElement>
  closest(selector: string): PageElement | null
  matches(selector: string): boolean
  focus(options?: { readonly preventScroll: boolean }): void
  scrollIntoView(options: { readonly block: string }): void
  showModal(): void
  close(): void
}

/** What the viewer uses of an event. */
export interface PageEvent {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly target: PageElement
  preventDefault(): void
}

/** What the viewer uses of a document. */
export interface PageDocument {
  title: string
  readonly activeElement: PageElement | null
  createElement(name: string): PageElement
  getElementById(id: string): PageElement | null
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

/** What the viewer uses of a window. */
export interface PageWindow {
  readonly location: { readonly hash: string }
  readonly history: { replaceState(state: null, unused: string, url: string): void }
  scrollTo(options: { readonly top: number }): void
}

/** Functions whose source becomes a part of the page. */
export type ViewerFunctions = readonly ((...given: never[]) => unknown)[]
