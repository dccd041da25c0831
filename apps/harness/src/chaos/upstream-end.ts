import type { Via } from '@hydra/tape'
import { endOfFrames } from './frame-end.ts'

/** What an upstream's body says about its own end. */
export interface UpstreamEnd {
  /** After how many bytes the upstream has said that it is finished, `Infinity` if it never does. */
  readonly at: number
  /** Whether something of the answer follows nevertheless: then nobody can know that the end was not one. */
  readonly isFollowed: boolean
}

/** Finds the upstream's own word of its end. Reads the lines by itself, so that it does not believe what it checks. */
export function upstreamEndOf(bytes: Uint8Array, dialect: Via['dialect']): UpstreamEnd {
  const text = Buffer.from(bytes).toString('latin1')
  if (/^[\s\u00EF\u00BB\u00BF]*[{[]/.test(text)) return endOfDocument(text)
  if (dialect === 'amazon-q') return endOfFrames(bytes)
  const says = dialect === 'anthropic' ? messagesWord : chatWord
  let at = Infinity
  for (const { data, end } of eventsIn(text)) {
    const { isEnd, isContent } = says(data)
    if (isContent && at !== Infinity) return { at, isFollowed: true }
    if (isEnd && at === Infinity) at = end
  }
  return { at, isFollowed: false }
}

function endOfDocument(text: string): UpstreamEnd {
  try {
    JSON.parse(text.replace(/^[^{[]*/, ''))
    return { at: text.trimEnd().length, isFollowed: false }
  } catch {
    return { at: Infinity, isFollowed: false }
  }
}

interface FoundEvent {
  readonly data: string
  /** After how many bytes its last line of data was there, without the end of that line. */
  readonly end: number
}

/** The events of a stream; one whose blank line never came counts too. */
function* eventsIn(text: string): Generator<FoundEvent> {
  let data: string[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const line = match.replace(/[\r\n]+$/, '')
    if (line.startsWith('data:')) {
      data.push(line.slice(5).replace(/^ /, ''))
      end = index + line.length
    }
    if (line !== '' || data.length === 0) continue
    yield { data: data.join('\n'), end }
    data = []
  }
}

interface Word {
  readonly isEnd: boolean
  readonly isContent: boolean
}

const NOTHING: Word = { isEnd: false, isContent: false }

interface Choice {
  readonly index?: unknown
  readonly finish_reason?: unknown
  readonly delta?: Readonly<Record<string, unknown>> | null
  readonly message?: unknown
}

function chatWord(data: string): Word {
  if (data.startsWith('[DONE]')) return { isEnd: true, isContent: false }
  const { choices } = (parse(data) ?? {}) as { readonly choices?: unknown }
  if (!Array.isArray(choices)) return NOTHING
  const first = (choices as (Choice | null)[]).filter((choice) => (choice?.index ?? 0) === 0)
  return {
    isEnd: first.some((choice) => Boolean(choice?.finish_reason)),
    isContent: first.some((choice) => choice !== null && speaks(choice)),
  }
}

function speaks({ delta, message }: Choice): boolean {
  if (message !== undefined) return true
  return Object.entries(delta ?? {}).some(([field, value]) => field !== 'role' && Boolean(value))
}

function messagesWord(data: string): Word {
  const { type } = (parse(data) ?? {}) as { readonly type?: unknown }
  return { isEnd: type === 'message_stop', isContent: type === 'content_block_delta' }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}
