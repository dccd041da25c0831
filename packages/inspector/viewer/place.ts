import { type Tab, TABS } from './exchange-view.tsx'

/** What is looked at: an exchange, a session or an agent, and which part of it. */
export interface Place {
  readonly id: string
  readonly tab: Tab
}

/** The place that an address names. */
export function placeOf(hash: string): Place {
  const [id = '', part = ''] = hash.replace(/^#/, '').split('/').map(decoded)
  return { id, tab: TABS.find((name) => name.toLowerCase() === part) ?? 'Conversation' }
}

/** What somebody typed into the address may be anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Puts a place into the address, so that a reload stays there and a link leads there. */
export function showPlace({ id, tab }: Place): void {
  const part = tab === 'Conversation' ? '' : `/${tab.toLowerCase()}`
  history.replaceState(null, '', `#${encodeURIComponent(id)}${part}`)
}
