import {
  asText,
  type ClientDialect,
  Collector,
  type DecodedRequest,
  type MessageSink,
  stopFor,
  usageOf,
} from '@hydra/core'

/** A call of a scripted answer. */
export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What a provider answers. */
export interface Answer {
  readonly thinking?: string
  /** The proof of the thinking, which must come back. */
  readonly proof?: string
  readonly text?: string
  readonly calls?: readonly Call[]
}

/** Where an answer breaks off: in its words, or in the input of its first call. */
export interface Fault {
  readonly cut: 'text' | 'call'
  /** The body ends as if all were well; else the connection breaks. */
  readonly isClean: boolean
}

/** For whom an answer is written. */
export interface Writing {
  readonly client: ClientDialect
  readonly decoded: DecodedRequest
  /** For ids: no provider gives one twice. */
  readonly unique: string
  readonly fault: Fault | undefined
}

/** An answer on the wire. */
export interface Written {
  readonly bytes: Buffer
  readonly contentType: string
}

const USAGE = usageOf({ input_tokens: 200, cache_read_input_tokens: 1000, output_tokens: 34 })

/** Writes an answer in the form that was asked for: as a stream, or whole. */
export function writeAnswer(answer: Answer, writing: Writing): Written {
  const { client, decoded, fault } = writing
  const { stream } = decoded.reply
  if (stream !== undefined) {
    const encoder = client.encodeStream(decoded.reply)
    tell(answer, encoder, writing)
    return { bytes: Buffer.from(asText(encoder.take())), contentType: stream.contentType }
  }
  const collector = new Collector()
  tell(answer, collector, { ...writing, fault: undefined })
  if (collector.message === undefined) throw new Error('the answer was not told to its end')
  const whole = Buffer.from(JSON.stringify(client.encodeResponse(collector.message, decoded.reply)))
  const length = fault === undefined ? whole.length : whole.length / 2
  return { bytes: whole.subarray(0, length), contentType: 'application/json' }
}

function tell(answer: Answer, sink: MessageSink, { client, decoded, unique, fault }: Writing): void {
  const { calls = [] } = answer
  const { model } = decoded.request
  sink.messageStart({ id: client.newId.message(`msg${unique}`), model, usage: USAGE })
  tellThinking(answer, sink)
  tellText(answer, sink, fault?.cut)
  if (fault?.cut === 'text') return
  for (const [index, { name, input }] of calls.entries()) {
    sink.blockStart({ type: 'tool_use', id: client.newId.call(`call${unique}x${index}`), name })
    for (const piece of half(piecesOf(JSON.stringify(input)), fault !== undefined)) sink.inputJson(piece)
    if (fault !== undefined) return
    sink.blockStop()
  }
  sink.messageStop(stopFor(calls.length > 0 ? 'tool_use' : 'end_turn'), USAGE)
}

function tellThinking({ thinking, proof }: Answer, sink: MessageSink): void {
  if (thinking === undefined) return
  sink.blockStart({ type: 'thinking' })
  for (const piece of piecesOf(thinking)) sink.thinking(piece)
  if (proof !== undefined) sink.signature(proof)
  sink.blockStop()
}

function tellText({ text }: Answer, sink: MessageSink, cut: Fault['cut'] | undefined): void {
  if (text === undefined) return
  sink.blockStart({ type: 'text' })
  for (const piece of half(piecesOf(text), cut === 'text')) sink.text(piece)
  if (cut !== 'text') sink.blockStop()
}

function half(pieces: readonly string[], isCut: boolean): readonly string[] {
  return isCut ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
}

function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,7}/gsu) ?? []
}
