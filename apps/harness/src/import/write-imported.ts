import { Buffer } from 'node:buffer'
import { createTape, ExchangeWriter, type Redaction, type TapeRedaction, type TapeWriter } from '@hydra/tape'
import type { ImportedExchange, Source, SourceHeaders } from './imported.ts'
import { toolName } from './tool-name.ts'

/** Where and how an imported tape is written. */
export interface ImportTarget {
  readonly folder: string
  readonly redaction: Redaction
  /** Told once, if the tape cannot be written to its end. */
  readonly onProblem: (message: string) => void
}

/** Something to be written at a time. */
interface Line {
  readonly at: number
  write(): void
}

interface Legs {
  readonly request: 'c>' | '>u'
  readonly answer: '>c' | 'u>'
}

const LEGS: Readonly<Record<ImportedExchange['leg'], Legs>> = {
  client: { request: 'c>', answer: '>c' },
  upstream: { request: '>u', answer: 'u>' },
}

/** They describe how bodies were sent; what a source keeps are bodies as they were read. */
const TRANSFER_HEADERS = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

/** Writes what was read as a tape. Secrets are replaced on the way, and the header says what the source lacks. */
export function writeImported(source: Source, { folder, redaction, onProblem }: ImportTarget): void {
  const exchanges = inOrder(source.exchanges)
  const started = exchanges[0]?.at ?? 0
  const rules = redaction.forTape()
  const client = clientOf(source.exchanges)
  const tape = createTape({
    folder,
    header: {
      tool: toolName(),
      ...(client !== undefined && { client: rules.text(client) }),
      redaction: redaction.name,
      imported: { from: source.from, lacks: lacksOf(source) },
    },
    started,
    onProblem,
  })
  const lines = exchanges.flatMap(({ exchange, at }) => linesOf(exchange, at, { tape, rules }))
  for (const line of lines.toSorted((one, other) => one.at - other.at)) line.write()
  tape.close()
}

function lacksOf({ lacks, exchanges }: Source): string[] {
  const timeless = exchanges.filter(({ at }) => at === undefined).length
  if (timeless === 0 || timeless === exchanges.length) return [...lacks]
  return [...lacks, `the times of ${timeless} exchanges, which stand behind the one before them`]
}

/** By their times; one without a time stays behind the one before it in the file. */
function inOrder(exchanges: readonly ImportedExchange[]): { exchange: ImportedExchange; at: number }[] {
  let before = exchanges.find(({ at }) => at !== undefined)?.at ?? 0
  const timed = exchanges.map((exchange) => {
    before = exchange.at ?? before
    return { exchange, at: before }
  })
  return timed.toSorted((one, other) => one.at - other.at)
}

/** The client as the first request names it. */
function clientOf(exchanges: readonly ImportedExchange[]): string | undefined {
  const named = exchanges.find(
    ({ leg, request }) => leg === 'client' && request.headers['user-agent'] !== undefined,
  )
  return named?.request.headers['user-agent']?.split(' ', 1)[0]
}

function linesOf(
  exchange: ImportedExchange,
  at: number,
  { tape, rules }: { readonly tape: TapeWriter; readonly rules: TapeRedaction },
): Line[] {
  const { leg, request, via, answer, marks } = exchange
  const writer = new ExchangeWriter(tape)
  const legs = LEGS[leg]
  const mark = (text: string): void =>
    writer.event(at, '', { type: 'mark', data: { text: rules.text(text) } })
  const asked = (): void => {
    for (const text of marks) mark(text)
    writer.request(at, legs.request, {
      method: request.method,
      path: rules.text(request.path),
      headers: headersOf(request.headers, rules),
      body: rules.bytes(Buffer.from(request.body)),
      ...(via !== undefined && { via: rules.values(via) }),
    })
    if (answer === undefined) mark('the source has no answer to this request')
  }
  const lines = [{ at, write: asked }]
  return answer === undefined
    ? lines
    : [...lines, ...answerLines(answer, at, { writer, leg: legs.answer, rules })]
}

function answerLines(
  answer: NonNullable<ImportedExchange['answer']>,
  asked: number,
  {
    writer,
    leg,
    rules,
  }: { readonly writer: ExchangeWriter; readonly leg: Legs['answer']; readonly rules: TapeRedaction },
): Line[] {
  const { status, body, broken } = answer
  const headAt = Math.max(asked, answer.at ?? asked)
  const bodyAt = Math.max(headAt, answer.bodyAt ?? headAt)
  const headers = headersOf(answer.headers, rules)
  const came = (): void => {
    if (body !== undefined && body.length > 0)
      writer.data(bodyAt, leg, redacted(body, broken !== undefined, rules))
    if (broken === undefined) {
      writer.end(bodyAt, leg)
      writer.done(bodyAt, status >= 400 ? 'failed' : 'answered')
    }
    // Without its last line an exchange is an interrupted one, which is all that is known of it.
    else
      writer.event(bodyAt, '', {
        type: 'mark',
        data: { text: rules.text(`the answer is not whole: ${broken}`) },
      })
  }
  return [
    { at: headAt, write: () => writer.head(headAt, leg, { status, headers }) },
    { at: bodyAt, write: came },
  ]
}

/** A body without secrets, also without those that several events of it carry a part of. */
function redacted(body: string | Uint8Array, isCut: boolean, rules: TapeRedaction): Uint8Array {
  const stream = rules.stream()
  const piece = stream.push(Buffer.from(body).toString('latin1'))
  if (isCut) stream.cut()
  else stream.end()
  return Buffer.from(piece.text, 'latin1')
}

function headersOf(headers: SourceHeaders, rules: TapeRedaction): SourceHeaders {
  return rules.headers(
    Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSFER_HEADERS.has(name))),
  )
}
