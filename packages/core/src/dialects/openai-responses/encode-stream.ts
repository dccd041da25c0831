import type { EscapedTextSink } from '../../fast-text/escaped-text-sink.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import type { HubError } from '../../hub/error.ts'
import type { HubDelta, HubStop } from '../../hub/message.ts'
import type { BlockHead, MessageHead } from '../../hub/sink.ts'
import type { HubUsage } from '../../hub/usage.ts'
import type { StreamEncoder } from '../dialect.ts'
import { failureOf } from './error.ts'
import { EventOutput, fieldsOf } from './event-output.ts'
import {
  CALL_PREFIXES,
  callWriter,
  FunctionCallWriter,
  type ItemPlace,
  type ItemWriter,
} from './item-writers.ts'
import { MessageWriter } from './message-writer.ts'
import { redactedContent, toEncryptedContent } from './proof.ts'
import { ReasoningWriter } from './reasoning-writer.ts'
import { type ResponsesReply, writtenEcho } from './reply.ts'
import { SearchWriter } from './search-writer.ts'
import { encodeStop, type ResponseEnd } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import type { OutputItem, WireResponse } from './wire.ts'

/** Creates the encoder of one stream of Responses events. */
export function encodeStream(reply: ResponsesReply): StreamEncoder {
  return new ResponseEncoder(reply, new EventOutput())
}

/** The fields of a response that change while it is written. */
type Progress = Pick<WireResponse, 'status' | 'error' | 'incomplete_details' | 'output'> & {
  readonly usage: WireResponse['usage'] | null
}

const BEGINNING: Progress = {
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
}

/**
 * Writes one response, item by item. An item is closed when the next one begins or the answer ends: only then is it
 * known whether it is whole, and whether more text belongs to the same message. The last event repeats all items,
 * so they are kept until then.
 */
export class ResponseEncoder implements StreamEncoder, EscapedTextSink {
  readonly #reply: ResponsesReply
  readonly #out: EventOutput
  readonly #echo: string
  readonly #output: OutputItem[] = []
  #head: Pick<MessageHead, 'id' | 'model'> | undefined
  #open: ItemWriter | undefined
  /** The whole response, once it has ended well. */
  response: WireResponse | undefined

  constructor(reply: ResponsesReply, out: EventOutput) {
    this.#reply = reply
    this.#out = out
    this.#echo = writtenEcho(reply.echo)
  }

  take(): string {
    return this.#out.take()
  }

  messageStart({ id, model }: Pick<MessageHead, 'id' | 'model'>): void {
    this.#head = { id, model }
    this.#tell('response.created', BEGINNING)
    this.#tell('response.in_progress', BEGINNING)
  }

  /** Goes on with a response whose beginning the client has. */
  resume(head: Pick<MessageHead, 'id' | 'model'>): void {
    this.#head = head
  }

  blockStart(block: BlockHead): void {
    switch (block.type) {
      case 'text':
        if (this.#open instanceof MessageWriter) this.#open.nextPart()
        else this.#begin('msg', (place) => new MessageWriter(place))
        return
      case 'thinking':
        this.#begin('rs', (place) => new ReasoningWriter(place))
        return
      case 'tool_use': {
        const tool = this.#reply.tools.toClient(block.name)
        this.#begin(CALL_PREFIXES[tool.kind], (place) => callWriter(place, { callId: block.id, tool }))
        return
      }
      case 'server_tool_use':
        this.#close('completed')
        if (block.name === 'web_search') this.#begin('ws', (place) => new SearchWriter(place))
        else this.#noteLeftOut(block.type)
        return
      case 'whole':
        this.#whole(block.block)
    }
  }

  text(delta: string): void {
    this.#open?.delta(delta)
  }

  escapedRun(deltas: TextRun): void {
    if (this.#open instanceof MessageWriter) this.#open.escapedRun(deltas)
  }

  thinking(delta: string): void {
    this.#open?.delta(delta)
  }

  inputJson(delta: string): void {
    this.#open?.delta(delta)
  }

  escapedInput(pieces: TextRun): void {
    if (this.#open instanceof FunctionCallWriter) {
      this.#open.escapedRun(pieces)
      return
    }
    for (let index = 0; index < pieces.count; index += 1) this.inputJson(pieces.unescapedAt(index))
  }

  signature(value: string): void {
    if (this.#open instanceof ReasoningWriter) this.#open.prove(toEncryptedContent(value))
  }

  extra(delta: HubDelta): void {
    if (delta.type === 'citations_delta' && this.#open instanceof MessageWriter)
      this.#open.cite(delta.citation)
    else this.#noteLeftOut(delta.type)
  }

  blockStop(): void {
    // Nothing: see above.
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    const ending = encodeStop(stop)
    this.#close(ending.status === 'completed' ? 'completed' : 'incomplete')
    this.#end(ending, usage)
  }

  error(error: HubError): void {
    const hasBegun = this.#head !== undefined
    if (!hasBegun) this.messageStart({ id: this.#reply.newId(), model: this.#reply.model })
    const { code, message } = failureOf(error)
    // The SDK takes a failed response for an answer: this event makes it throw, and so does a connection that breaks.
    // An agent that meets the event in the middle of an answer keeps what it has for whole, and after a break asks again.
    if (!hasBegun || this.#reply.stream?.breaksWhenFailed !== true)
      this.#out.event('error', fieldsOf({ code, message, param: error.path || null }))
    const output = [...this.#output]
    this.#tell('response.failed', {
      ...BEGINNING,
      status: 'failed',
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the SDK lists some of the codes
      error: { code, message } as WireResponse['error'],
      output,
    })
  }

  #whole(block: Extract<BlockHead, { type: 'whole' }>['block']): void {
    if (block.type === 'web_search_tool_result' && this.#open instanceof SearchWriter) {
      this.#open.found(block)
      return
    }
    if (block.type !== 'redacted_thinking') {
      this.#noteLeftOut(block.type)
      return
    }
    this.#begin('rs', (place) => {
      const writer = new ReasoningWriter(place)
      writer.prove(redactedContent(block.data))
      return writer
    })
  }

  /** What only Anthropic's servers do is never offered to this dialect's clients, and has no item. */
  #noteLeftOut(type: string): void {
    this.#reply.answerNotes.add('answer_part_left_out', type, 'a response has no place for it')
  }

  #begin(prefix: string, writer: (place: ItemPlace) => ItemWriter): void {
    this.#close('completed')
    const index = this.#output.length
    const unique = this.#head?.id.replace(/^resp_/, '') ?? ''
    this.#open = writer({ out: this.#out, id: `${prefix}_${unique}_${index}`, index })
  }

  #close(status: 'completed' | 'incomplete'): void {
    if (this.#open === undefined) return
    this.#output.push(this.#open.close(status))
    this.#open = undefined
  }

  #end({ event, status, error, reason }: ResponseEnd, counts: HubUsage): void {
    const progress: Progress = {
      status,
      error,
      incomplete_details: reason === undefined ? null : { reason },
      output: this.#output,
      usage: encodeUsage(counts),
    }
    const response = this.#response(progress)
    // Stored before the client learns the id that it can ask for.
    if (status !== 'failed') this.#reply.store?.(response)
    this.response = response
    this.#tell(event, progress)
  }

  #tell(event: string, progress: Progress): void {
    this.#out.event(event, `"response":{${fieldsOf(this.#facts(progress))},${this.#echo}}`)
  }

  #facts(progress: Progress): object {
    const { id = '', model = '' } = this.#head ?? {}
    return { id, object: 'response', created_at: this.#reply.createdAt, model, ...progress }
  }

  #response(progress: Progress): WireResponse {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `output_text` is made by the SDK
    return { ...this.#facts(progress), ...this.#reply.echo } as unknown as WireResponse
  }
}
