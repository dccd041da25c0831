import { type HubError, Memo, registry } from '@hydra/core'
import type { PlayedAnswer } from '@hydra/tape'
import { checkGrammar, type GrammarResult, refusalFault, tellsError, wholeFault } from './grammar/grammar.ts'
import { hearAnswer, type HeardAnswer, partsFrom } from './heard-answer.ts'
import type { Subject } from './subject.ts'
import { endsWhole } from './upstream-end.ts'

/** What is wrong with what the client got, in words; undefined if nothing is. */
export type Verdict = string | undefined

/** Judges what comes of a body that broke off after `length` bytes. */
export function judgeCut(subject: Subject, played: PlayedAnswer, length: number): Verdict {
  if (subject.way === 'relayed') return judgeRelayed(subject, played, subject.bytes.subarray(0, length))
  const wrong = judgeForm(subject, played)
  // A refusal before the first byte leaves nothing to be compared.
  if (wrong !== undefined || played.text === '') return wrong
  if (played.ended === 'failed') return judgePrefix(subject, played.text)
  const { whole, upstreamEnd } = subject
  if (length < upstreamEnd.at && !stoppedOnItsOwn(subject, played, subject.bytes.subarray(0, length))) {
    return `a clean end after ${length} bytes, but the upstream finishes only after ${upstreamEnd.at}`
  }
  // What an upstream says after its own end cannot be missed by anybody.
  if (upstreamEnd.isFollowed || whole.ended !== 'clean') return undefined
  return isSameContent(subject, played.text) ? undefined : 'a clean end, but the answer is not complete'
}

/** The word that ends a stream, at the beginning of a line: after anything else it is part of a field nobody knows. */
const STREAM_END = /^data: \[DONE\]\n\n/m

/**
 * Judges what comes of a body that is passed on and broke off after `length` bytes: its beginning, and then an error or a
 * broken connection, or an end where the upstream was finished.
 */
export function judgePassed(subject: Subject, played: PlayedAnswer, length: number): Verdict {
  const { whole, upstreamEnd } = subject
  const isFinished = length >= upstreamEnd.at
  const isClean = played.ended === 'clean'
  // The word that ends a stream is added where the answer was finished before it.
  const text = isClean && isFinished ? played.text.replace(STREAM_END, '') : played.text
  const parting = partingOf(text, whole.text)
  if (parting < text.length) {
    // Whatever the client's dialect, what stands behind the beginning can only be the error.
    const isTold = !isClean && isOneError(subject, text, parting)
    return isTold ? undefined : `what was passed on differs from character ${parting} on`
  }
  return isClean && !isFinished ? 'a clean end, but the upstream broke off' : undefined
}

/** Whether all that follows the last event before a place is an error, in whole events. */
function isOneError({ dialect }: Subject, text: string, parting: number): boolean {
  const rest = text.slice(beginOfEvent(text, parting))
  return tellsError(rest, dialect) === true && ENDED.test(rest)
}

/** Ends with a whole event, or as Gemini's errors do with a line of JSON. */
const ENDED = /(?:\n\n|\n\r\n|(?:^|\n)\{.*\})$/

/** The end of a line and a blank one, however they are written. */
const BLANK = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g

/** Behind the last blank line that begins before a place. */
function beginOfEvent(text: string, place: number): number {
  const blank = [...text.slice(0, place + 2).matchAll(BLANK)].at(-1)
  return blank === undefined ? 0 : blank.index + blank[0].length
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
  if (subject.way === 'relayed') return judgeRelayed(subject, played, bytes)
  const wrong = judgeForm(subject, played)
  if (wrong !== undefined || played.ended !== 'clean' || stoppedOnItsOwn(subject, played, bytes)) return wrong
  if (endsWhole(bytes, subject.via.dialect)) return undefined
  return 'a clean end, but the upstream has said nowhere that it is finished'
}

/** Judges what is relayed: it is what came, and then nothing or an error, and ends cleanly only where the upstream does. */
function judgeRelayed(subject: Subject, played: PlayedAnswer, bytes: Uint8Array): Verdict {
  const { failure, isRefused, ended } = played
  if (played.text === '' && isRefused) return judgeRefusal(subject, failure)
  if (ended === 'open') return 'it has neither an end nor an error'
  const came = new TextDecoder().decode(bytes)
  // The word that ends a stream is added where the answer was finished before it.
  const text = STREAM_END.test(came) ? played.text : played.text.replace(STREAM_END, '')
  const parting = partingOf(text, came)
  if (ended === 'failed') return judgeRelayedError(subject, text, parting)
  // The blank line behind the last event may be missing, and then it is added.
  if (text.slice(parting).trim() !== '') return `what was relayed differs from character ${parting} on`
  if (!subject.isStream) return text === came ? undefined : 'the body is not the one that came'
  return endsWhole(bytes, subject.via.dialect)
    ? undefined
    : 'a clean end, but the upstream has said nowhere that it is finished'
}

/** One error follows what came before, in events of its own. */
function judgeRelayedError({ dialect }: Subject, text: string, parting: number): Verdict {
  const begin = beginOfEvent(text, parting)
  if (text.slice(begin).trim() === '') return undefined
  return (tellsError(text.slice(begin), dialect) ?? true)
    ? undefined
    : `behind what came stands something else than an error, from character ${begin} on`
}

/** Whatever came in, what goes out is legal and has one end. */
function judgeForm(subject: Subject, { text, failure, isRefused, ended }: PlayedAnswer): Verdict {
  if (ended === 'open') return 'it has neither an end nor an error'
  if (failure !== undefined && failure.status < 400) return `its failure has the status ${failure.status}`
  // What is refused before its first byte has no body of its own.
  if (text === '' && isRefused) return judgeRefusal(subject, failure)
  if (!subject.isStream) return judgeDocument(subject, text)
  const grammar = grammarOf(subject, text)
  if ('violation' in grammar) return grammar.violation
  const isClean = grammar.end === 'clean'
  return isClean === (ended === 'clean') ? undefined : `it ended ${ended}, but its last event says otherwise`
}

/** A refusal becomes a document that clients know how to read. */
function judgeRefusal({ client, dialect }: Subject, failure: HubError | undefined): Verdict {
  if (failure === undefined) return 'it is refused without a reason'
  const { status, headers, body } = client.encodeError(failure, client.newId.request('chaos'))
  const told = parse(body)
  const wrong = refusalFault({ status, body: told }, dialect)
  if (wrong !== undefined) return `it is refused, and ${wrong}: ${body}`
  const read = registry.get(dialect)?.upstream?.decodeError({ status, headers, body })
  const isTold = isObject(told) && status >= 400 && (read === undefined || read.message !== '')
  return isTold ? undefined : `it is refused with what is no error: ${body}`
}

/** Most cuts fall into the same event and give the same output, so what came of the last few texts is kept. */
const KEPT_TEXTS = 16

const grammars = new Memo<string, GrammarResult>(KEPT_TEXTS)

function grammarOf({ dialect, request: { path } }: Subject, text: string): GrammarResult {
  const key = `${dialect} ${path} ${text}`
  const known = grammars.get(key)
  if (known !== undefined) return known
  const grammar = checkGrammar(text, { dialect, path })
  grammars.set(key, grammar)
  return grammar
}

const heardAnswers = new Memo<string, { readonly heard: HeardAnswer | undefined }>(KEPT_TEXTS)

function heardOf({ dialect }: Subject, text: string): HeardAnswer | undefined {
  const key = `${dialect} ${text}`
  const known = heardAnswers.get(key)
  if (known !== undefined) return known.heard
  const heard = hearAnswer(text, dialect)
  heardAnswers.set(key, { heard })
  return heard
}

function judgeDocument({ dialect }: Subject, text: string): Verdict {
  if (!isObject(parse(text))) return 'the body is no JSON'
  const wrong = wholeFault(text, dialect)
  if (wrong !== undefined) return wrong
  const heard = hearAnswer(text, dialect)
  return heard === undefined || (heard.ended === 'clean' && heard.stopReason !== undefined)
    ? undefined
    : 'the body is no complete message'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** What came before the error must be the beginning of what would have come. */
function judgePrefix(subject: Subject, text: string): Verdict {
  const [before, expected] = [heardOf(subject, text), heardOf(subject, subject.whole.text)]
  if (before === undefined || expected === undefined) return undefined
  const parting = partsFrom(before, expected)
  return parting && `what comes before the error is no beginning of the whole: ${parting}`
}

/** The usage comes last, so a clean end may have to estimate it; everything else must be there. */
function isSameContent(subject: Subject, text: string): boolean {
  const [now, expected] = [heardOf(subject, text), heardOf(subject, subject.whole.text)]
  const content = [now, expected].map((heard) => JSON.stringify([heard?.blocks, heard?.stopReason]))
  return content[0] === content[1]
}

/** A stop sequence that the upstream does not know ends the answer before the upstream does. */
function stoppedOnItsOwn(subject: Subject, { stopReason }: PlayedAnswer, bytes: Uint8Array): boolean {
  // Not every client is told which of its reasons it was, but the translation knows.
  return (stopReason ?? subject.play([bytes], 'end').stopReason) === 'stop_sequence'
}

function partingOf(one: string, other: string): number {
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}
