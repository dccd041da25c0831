import { shortened, visibleLine, visibleText } from '@hydra/cli'
import type { Note } from '@hydra/core'
import type {
  CallSummary,
  ExchangeSummary,
  RequestSummary,
  Utterance,
  Times,
  Tokens,
} from '@hydra/inspector/summary'
import { bytesOf, countOf, spanOf } from '@hydra/inspector/summary'

/** How many characters of one utterance are printed. */
export interface Lengths {
  readonly text: number
  readonly thinking: number
}

/** Prints one exchange as lines. Whatever came over the wire is made harmless before it is printed. */
export function printExchange(exchange: ExchangeSummary, lengths: Lengths): string[] {
  const { number, at, request, calls, notes, tokens, times, marks } = exchange
  return [
    `── Exchange ${number} · after ${spanOf(at)} ${'─'.repeat(40)}`,
    ...marks.map((mark) => `  mark       ${visibleLine(mark)}`),
    ...(request === undefined ? ['  request    (not on the tape)'] : printRequest(request, lengths)),
    ...calls.flatMap(printCall),
    ...printAnswer(exchange, lengths),
    ...notes.map(printNote),
    ...printTimes(times),
    ...(tokens === undefined ? [] : [`  tokens     ${tokenWords(tokens)}`]),
    printEnding(exchange),
    '',
  ]
}

function printAnswer({ answer }: ExchangeSummary, lengths: Lengths): string[] {
  if (answer === undefined) return []
  const { utterances, stopReason, whole, failure } = answer
  return [
    ...utterances.flatMap((utterance) => printUtterance(speakerOf(utterance), utterance, lengths)),
    ...(stopReason === undefined ? [] : [`  stopped    ${visibleLine(stopReason)}`]),
    ...(whole || failure !== undefined ? [] : ['  CUT OFF    the answer has no end of its own']),
  ]
}

function speakerOf({ who }: Utterance): string {
  return who === 'assistant' ? 'model' : who
}

function printNote({ code, path, message }: Note): string {
  const where = path === '' ? '' : ` at ${visibleLine(path)}`
  return `  translated ${visibleLine(message)} [${visibleLine(code)}${where}]`
}

function printEnding({ ending: { kind, words }, status }: ExchangeSummary): string {
  const how = kind === 'clean' ? kind : `${kind.toUpperCase()}: ${visibleLine(words)}`
  return `  ended      ${how}${status === undefined ? '' : ` (status ${status})`}`
}

function printRequest(request: RequestSummary, lengths: Lengths): string[] {
  const { method, path, model, messages, tools, continues, changed, fresh, trouble } = request
  const asked = model === undefined ? '' : ` for ${visibleLine(model)}`
  return [
    `  request    ${visibleLine(method)} ${visibleLine(path)}${asked}, ${countOf(messages, 'message')}, ${countOf(tools, 'tool')}`,
    ...(trouble === undefined ? [] : [`  TROUBLE    ${visibleLine(trouble)}`]),
    ...(continues === undefined
      ? []
      : [
          `  as before  ${countOf(continues.messages, 'message')} of exchange ${continues.exchange}${
            continues.thenAssistant ? ", then the assistant's turn" : ''
          }${changed.length === 0 ? '' : `; changed: ${changed.join(', ')}`}`,
        ]),
    ...fresh.flatMap((utterance) => printUtterance(utterance.who, utterance, lengths)),
  ]
}

function printUtterance(who: string, utterance: Utterance, lengths: Lengths): string[] {
  const { kind, name = '', text, failed, cut } = utterance
  const limit = kind === 'thinking' ? lengths.thinking : lengths.text
  const lines = visibleText(shortened(text, limit)).split('\n')
  const head = `  ${visibleLine(who).padEnd(10)} ${verbOf(kind, visibleLine(name))}${failed === true ? ' FAILED' : ''}${
    cut === true ? ' (CUT OFF)' : ''
  }`
  if (lines.length === 1) return [`${head}: ${lines[0] ?? ''}`]
  return [`${head}:`, ...lines.map((line) => `             │ ${line}`)]
}

function verbOf(kind: Utterance['kind'], name: string): string {
  switch (kind) {
    case 'text':
      return 'says'
    case 'thinking':
      return 'thinks'
    case 'call':
      return `calls ${name}`
    case 'result':
      return `${name} answers`
    case 'other':
      return 'sends'
  }
}

function printCall(call: CallSummary): string[] {
  const { via, status, failure, retry } = call
  const where = via === undefined ? visibleLine(call.path) : routeWords(via)
  const came = status === undefined ? `no answer (${call.ended})` : `status ${status}`
  return [
    `  upstream   ${where}: ${came}${failure === undefined ? '' : `, ${visibleLine(failure)}`}`,
    ...(retry === undefined
      ? []
      : [`  retried    after ${spanOf(retry.pause * 1000)}: ${visibleLine(retry.reason)}`]),
  ]
}

function routeWords({
  upstream,
  dialect,
  model,
  toldModel,
  passthrough,
  profile,
}: NonNullable<CallSummary['via']>): string {
  const words = [
    visibleLine(upstream),
    visibleLine(dialect),
    ...(model === undefined ? [] : [`model ${visibleLine(model)}`]),
    ...(toldModel === undefined || toldModel === model ? [] : [`told as ${visibleLine(toldModel)}`]),
    ...(profile === undefined ? [] : [`profile ${visibleLine(profile)}`]),
    ...(passthrough === true ? ['passed through'] : []),
  ]
  return words.join(', ')
}

function printTimes({
  begun,
  called,
  head,
  firstToken,
  lastChunk,
  over,
  gaps,
  upstream,
  client,
}: Times): string[] {
  const start = called ?? begun
  const steps = [
    ...(head === undefined ? [] : [`head after ${spanOf(head - start)}`]),
    ...(firstToken === undefined ? [] : [`first token after ${spanOf(firstToken - start)}`]),
    ...(firstToken === undefined || lastChunk === undefined
      ? []
      : [`streaming ${spanOf(lastChunk - firstToken)}`]),
    `all ${spanOf(over - begun)}`,
  ]
  const silences = gaps.map(({ at, length }) => `${spanOf(length)} after ${spanOf(at - start)}`)
  return [
    // Times that are all the same are none: the source of an imported tape did not keep them.
    over === begun ? '  time       (none on the tape)' : `  time       ${steps.join(', ')}`,
    ...(silences.length === 0 ? [] : [`  silent     ${silences.join('; ')}`]),
    `  chunks     ${countOf(upstream.chunks, 'chunk')} (${bytesOf(upstream.bytes)}) from upstream, ` +
      `${countOf(client.chunks, 'chunk')} (${bytesOf(client.bytes)}) to the client`,
  ]
}

function tokenWords({ input, fromCache, toCache, output, reasoning = 0 }: Tokens): string {
  const cached = [
    ...((fromCache ?? 0) > 0 ? [`${fromCache} from the cache`] : []),
    ...((toCache ?? 0) > 0 ? [`${toCache} written to the cache`] : []),
  ]
  const into = `${input ?? '?'} in${cached.length === 0 ? '' : ` (and ${cached.join(', ')})`}`
  return `${into}, ${output ?? '?'} out${reasoning > 0 ? ` (${reasoning} of them reasoning)` : ''}`
}
