import type { ExchangeEntry } from '../src/page/page-data.ts'
import { count, inputOf, money, number, span } from './figures.ts'
import type { Place } from './place.ts'

/** Something that its reader may want to change, and where to look. */
interface Finding {
  readonly words: string
  readonly place: Place
}

/** A prompt below this is not cached by most providers, in tokens. */
const MIN_CACHED = 1024
/** A wait that a person notices, in microseconds. */
const LONG_WAIT = 5_000_000
/** A call that costs this part of everything stands out. */
const LARGE_SHARE = 0.4

/** The findings of a session, the most important first. */
export function findingsOf(entries: readonly ExchangeEntry[]): Finding[] {
  const found = [failures, missedCaches, otherModels, retries, slowest, dearest, losses].map((find) =>
    find(entries),
  )
  return found.filter((finding) => finding !== undefined)
}

type Find = (entries: readonly ExchangeEntry[]) => Finding | undefined

const failures: Find = (entries) => {
  const failed = entries.filter(({ state }) => ['error', 'aborted', 'interrupted'].includes(state))
  const [first] = failed
  if (first === undefined) return undefined
  const status = first.status === undefined || first.status < 400 ? '' : ` with status ${first.status}`
  return {
    words: `${count(failed.length, 'call')} did not end well; #${first.number} was the first${status}`,
    place: { id: first.id, tab: 'Conversation' },
  }
}

/** A later call of a conversation whose upstream counts cached tokens, and that got none of them. */
const missedCaches: Find = (entries) => {
  const isCaching = entries.some(({ tokens }) => (tokens?.fromCache ?? 0) > 0 || (tokens?.toCache ?? 0) > 0)
  const missed = entries.filter(
    ({ tokens, continues }) =>
      continues !== undefined &&
      tokens !== undefined &&
      (tokens.fromCache ?? 0) === 0 &&
      inputOf(tokens) > MIN_CACHED,
  )
  const [first] = missed
  if (!isCaching || first?.tokens === undefined) return undefined
  const lost = missed.reduce((sum, { tokens }) => sum + (tokens === undefined ? 0 : inputOf(tokens)), 0)
  return {
    words: `${count(missed.length, 'call')} found nothing in the cache (${number(lost)} tokens at full price); what changed before #${first.number}?`,
    place: { id: first.id, tab: 'Context' },
  }
}

const otherModels: Find = (entries) => {
  const other = entries.find(
    ({ asked, called }) => asked !== undefined && called !== undefined && asked !== called,
  )
  if (other === undefined) return undefined
  return {
    words: `${other.asked} was asked for, and ${other.called} answered`,
    place: { id: other.id, tab: 'Facts' },
  }
}

const retries: Find = (entries) => {
  const tried = entries.filter(({ attempts }) => attempts > 1)
  const [first] = tried
  if (first === undefined) return undefined
  return {
    words: `${count(tried.length, 'call')} needed more than one try; #${first.number} needed ${first.attempts}`,
    place: { id: first.id, tab: 'Facts' },
  }
}

const slowest: Find = (entries) => {
  const slow = entries.toSorted((one, other) => (other.firstToken ?? 0) - (one.firstToken ?? 0))[0]
  if (slow?.firstToken === undefined || slow.firstToken < LONG_WAIT) return undefined
  return {
    words: `#${slow.number} waited ${span(slow.firstToken)} for its first token`,
    place: { id: slow.id, tab: 'Timing' },
  }
}

const dearest: Find = (entries) => {
  const all = entries.reduce((sum, { cost = 0 }) => sum + cost, 0)
  const dear = entries.toSorted((one, other) => (other.cost ?? 0) - (one.cost ?? 0))[0]
  if (dear?.cost === undefined || entries.length < 4 || dear.cost < all * LARGE_SHARE) return undefined
  return {
    words: `#${dear.number} cost ${money(dear.cost)} of ${money(all)}; see what fills its context`,
    place: { id: dear.id, tab: 'Context' },
  }
}

const losses: Find = (entries) => {
  const noted = entries.filter(({ notes }) => notes.length > 0)
  const [first] = noted
  if (first === undefined) return undefined
  return {
    words: `Hydra changed something on the way in ${count(noted.length, 'call')}: ${first.notes.slice(0, 3).join(', ')}`,
    place: { id: first.id, tab: 'Facts' },
  }
}
