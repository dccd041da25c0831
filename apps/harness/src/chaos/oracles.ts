import { anthropic, type HubError } from '@hydra/core'
import type { PlayedAnswer } from '../replay/play-answer.ts'
import { checkGrammar, type GrammarResult } from './check-grammar.ts'
import type { Subject } from './subject.ts'
import { upstreamEndOf } from './upstream-end.ts'

const MESSAGE_DELTA = 'event: message_delta\n'
const ERROR = 'event: error\n'

/** What is wrong with what the client got, in words; undefined if nothing is. */
export type Verdict = string | undefined

/** Judges what comes of a body that broke off after so many bytes. */
export function judgeCut(subject: Subject, played: PlayedAnswer, length: number): Verdict {
  const wrong = judgeForm(subject, played)
  // A refusal before the first byte leaves nothing to be compared.
  if (wrong !== undefined || played.text === '') return wrong
  if (played.ended === 'failed') return judgePrefix(subject, played.text)
  const { whole, upstreamEnd } = subject
  if (length < upstreamEnd.at && !stoppedOnItsOwn(subject, played)) {
    return `a clean end after ${length} bytes, but the upstream finishes only after ${upstreamEnd.at}`
  }
  // What an upstream says after its own end cannot be missed by anybody.
  if (upstreamEnd.isFollowed || whole.ended !== 'clean') return undefined
  return contentOf(subject, played.text) === contentOf(subject, whole.text)
    ? undefined
    : 'a clean end, but the answer is not complete'
}

/** Judges what comes of a body that is passed on and broke off: its beginning, and no end that the upstream has not made. */
export function judgePassed({ whole }: Subject, { text, ended }: PlayedAnswer): Verdict {
  if (!whole.text.startsWith(text)) {
    return `what was passed on differs from character ${partingOf(text, whole.text)} on`
  }
  return ended === 'clean' ? 'a clean end, but the upstream broke off' : undefined
}

/** Judges what comes of a body in other pieces. */
export function judgeSplit({ whole }: Subject, { text, failure, ended }: PlayedAnswer): Verdict {
  if (failure?.message !== whole.failure?.message || failure?.status !== whole.failure?.status) {
    return `it fails with '${failure?.message}' and not with '${whole.failure?.message}'`
  }
  if (text !== whole.text) return `the output is another from character ${partingOf(text, whole.text)} on`
  return ended === whole.ended ? undefined : `it is ${ended} and not ${whole.ended}`
}

/** Judges what comes of other bytes than the recorded ones: anything legal, but a clean end only where there is one. */
export function judgeOther(subject: Subject, played: PlayedAnswer, bytes: Uint8Array): Verdict {
  const wrong = judgeForm(subject, played)
  if (wrong !== undefined || played.ended !== 'clean' || stoppedOnItsOwn(subject, played)) return wrong
  const dialect = subject.taped.via?.dialect ?? 'openai-chat'
  if (upstreamEndOf(bytes, dialect).at !== Infinity) return undefined
  return 'a clean end, but the upstream has said nowhere that it is finished'
}

/** Whatever came in, what goes out is legal and has one end. */
function judgeForm(subject: Subject, { text, failure, isRefused, ended }: PlayedAnswer): Verdict {
  if (ended === 'open') return 'it has neither an end nor an error'
  if (failure !== undefined && failure.status < 400) return `its failure has the status ${failure.status}`
  // What is refused before its first byte has no body of its own.
  if (text === '' && isRefused) return judgeRefusal(failure)
  if (!subject.isStream) return judgeDocument(text)
  const grammar = remembered(text)
  if ('violation' in grammar) return grammar.violation
  const isClean = grammar.end === 'clean'
  return isClean === (ended === 'clean') ? undefined : `it ended ${ended}, but its last event says otherwise`
}

/** A refusal becomes a document that clients know how to read. */
function judgeRefusal(failure: HubError | undefined): Verdict {
  if (failure === undefined) return 'it is refused without a reason'
  const { body } = anthropic.client.encodeError(failure, 'req_chaos')
  const { type, error } = JSON.parse(body) as { readonly type?: unknown; readonly error?: ToldError }
  const isLegal = type === 'error' && typeof error?.type === 'string' && typeof error.message === 'string'
  return isLegal ? undefined : `it is refused with what is no error: ${body}`
}

interface ToldError {
  readonly type?: unknown
  readonly message?: unknown
}

let lastText = ''
let lastGrammar: GrammarResult = { violation: 'nothing was checked' }

/** Most cuts fall into the same event and give the same output, so the last one is kept. */
function remembered(text: string): GrammarResult {
  if (text === '' || text !== lastText) {
    lastGrammar = checkGrammar(text)
    lastText = text
  }
  return lastGrammar
}

function judgeDocument(text: string): Verdict {
  try {
    const message = JSON.parse(text) as { readonly type?: unknown; readonly stop_reason?: unknown } | null
    return message?.type === 'message' && typeof message.stop_reason === 'string'
      ? undefined
      : 'the body is no complete message'
  } catch {
    return 'the body is no JSON'
  }
}

/** What came before the error must be the beginning of what would have come. */
function judgePrefix({ whole }: Subject, text: string): Verdict {
  const before = withoutError(text)
  const expected = whole.ended === 'failed' ? withoutError(whole.text) : whole.text
  if (expected.startsWith(before)) return undefined
  return `what comes before the error is no beginning of the whole: it differs from character ${partingOf(before, expected)} on`
}

function withoutError(text: string): string {
  const at = text.lastIndexOf(ERROR)
  return at === -1 ? text : text.slice(0, at)
}

/** The usage comes last, so a clean end may have to estimate it; everything else must be there. */
function contentOf({ isStream }: Subject, text: string): string {
  if (!isStream) return JSON.stringify({ ...(JSON.parse(text) as object), usage: null })
  const at = text.lastIndexOf(MESSAGE_DELTA)
  const stopReason = /"stop_reason":"(\w+)"/.exec(text.slice(at))?.[1] ?? ''
  return text.slice(0, at) + stopReason
}

/** A stop sequence that the upstream does not know ends the answer before the upstream does. */
function stoppedOnItsOwn(subject: Subject, { text }: PlayedAnswer): boolean {
  return /"stop_reason":"stop_sequence"/.test(
    subject.isStream ? text.slice(text.lastIndexOf(MESSAGE_DELTA)) : text,
  )
}

function partingOf(one: string, other: string): number {
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}
