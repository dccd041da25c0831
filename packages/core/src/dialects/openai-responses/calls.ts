import { GatheredText } from '../../fast-text/gathered-text.ts'
import { scanRun } from '../../fast-text/scan-run.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import { argumentsAt, textAt, WireFault, type WireObject } from '../../json/wire.ts'
import { HeldText } from '../../stream/held-text.ts'
import { JsonScanner } from '../../stream/json-scanner.ts'
import type { ItemTeller } from './items.ts'
import type { ResponsesContext } from './profile.ts'

/** What a custom call becomes: a call with this one argument, as the tool was offered. */
const CUSTOM_INPUT = { start: '{"input":"', end: '"}' } as const

/** Opens the block of a call, if what is known of it is enough. */
class CallBlock {
  readonly #context: ResponsesContext
  readonly #number: number
  /** The upstream's name of the tool, once the block is open. */
  name = ''

  constructor(number: number, context: ResponsesContext) {
    this.#number = number
    this.#context = context
  }

  open(item: WireObject): void {
    if (this.name !== '') return
    const name = textAt(item['name'], 'item.name')
    const id = textAt(item['call_id'], 'item.call_id') || textAt(item['id'], 'item.id')
    if (name === '' || id === '') return
    this.#begin(name, id)
  }

  /** Opens it with what there is, because nothing more comes. */
  openNow(item: WireObject): void {
    this.open(item)
    if (this.name !== '') return
    const name = textAt(item['name'], 'item.name')
    if (name === '') throw new WireFault('the name of a call', 'a string', item['name'])
    this.#begin(name, '')
  }

  #begin(name: string, id: string): void {
    const { writer, reply, messageId } = this.#context
    this.name = name
    writer.begin({
      type: 'tool_use',
      id: reply.callIds.claim(id, `${messageId}_${this.#number}`),
      name: reply.names.toClient(name),
    })
  }
}

/** The call of a function, whose arguments come in pieces or at once. */
export class CallItem implements ItemTeller {
  readonly #context: ResponsesContext
  readonly #block: CallBlock
  readonly #scanner = new JsonScanner()
  /** Arguments that cannot go out yet: the block is not open, or they do not look like an object. */
  readonly #held = new HeldText()
  /** All pieces so far, to find out what is missing of the whole. */
  readonly #pieces = new GatheredText()
  #streamed = false

  constructor(head: WireObject, number: number, context: ResponsesContext) {
    this.#context = context
    this.#block = new CallBlock(number, context)
    this.#block.open(head)
  }

  event(type: string, event: WireObject): void {
    if (type === 'function_call_arguments.delta') this.#push(textAt(event['delta'], 'delta'))
    if (type === 'function_call_arguments.done') this.#rest(argumentsAt(event['arguments'], 'item.arguments'))
  }

  pass(pieces: TextRun): boolean {
    if (!this.#streamed) return false
    this.#pieces.pushRun(pieces)
    scanRun(this.#scanner, pieces)
    return true
  }

  done(item: WireObject): void {
    this.#block.openNow(item)
    this.#noteNamespace(item)
    this.#rest(argumentsAt(item['arguments'], 'item.arguments'))
    const { writer } = this.#context
    this.#release()
    if (!this.#streamed) writer.inputJson(this.#settled())
    else if (this.#scanner.state !== 'complete') this.#noteNoJson()
    writer.closeBlock()
  }

  #push(json: string): void {
    if (json === '') return
    this.#pieces.push(json)
    this.#scanner.push(json)
    if (this.#streamed) {
      this.#context.writer.inputJson(json)
      return
    }
    this.#hold(json)
    this.#release()
  }

  #hold(json: string): void {
    this.#held.push(json)
    if (this.#held.length <= MAX_EVENT_LENGTH) return
    throw new WireFault('arguments that are no object', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  }

  /** The whole arguments: what no piece has brought is written now; where the pieces say something else, they count. */
  #rest(json: string): void {
    const { text } = this.#pieces
    if (json.startsWith(text)) this.#push(json.slice(text.length))
    else if (json !== '') {
      const message = `the arguments of ${this.#block.name} are said to be others than their pieces: the pieces count`
      this.#context.notes.add('arguments_differ', 'item.arguments', message)
    }
  }

  #release(): void {
    if (this.#block.name === '' || !this.#held.beginsWith('{')) return
    this.#context.writer.inputJson(this.#held.take())
    this.#streamed = true
  }

  /** The input of a call whose arguments do not begin like an object. */
  #settled(): string {
    if (this.#held.is('')) return '{}'
    if (this.#held.is('null')) {
      const message = `the arguments of ${this.#block.name} are null: an empty object instead`
      this.#context.notes.add('arguments_null', 'item.arguments', message)
      return '{}'
    }
    this.#noteNoJson()
    return this.#held.text
  }

  #noteNoJson(): void {
    const message = `the arguments of ${this.#block.name} are not one JSON object: passed on as they are`
    this.#context.notes.add('arguments_not_json', 'item.arguments', message)
  }

  #noteNamespace({ namespace }: WireObject): void {
    if (typeof namespace !== 'string' || namespace === '') return
    const message = `the tool's namespace ${namespace} has no equivalent: the name alone is told`
    this.#context.notes.addOnce('namespace_dropped', 'item.namespace', message)
  }
}

/** The call of a tool that takes free text: the text becomes the one argument under which the tool was offered. */
export class CustomCallItem implements ItemTeller {
  readonly #context: ResponsesContext
  readonly #block: CallBlock
  #length = 0

  constructor(head: WireObject, number: number, context: ResponsesContext) {
    this.#context = context
    this.#block = new CallBlock(number, context)
    this.#block.openNow(head)
    context.writer.inputJson(CUSTOM_INPUT.start)
  }

  event(type: string, event: WireObject): void {
    if (type === 'custom_tool_call_input.delta') this.#push(textAt(event['delta'], 'delta'))
    if (type === 'custom_tool_call_input.done') this.#rest(textAt(event['input'], 'input'))
  }

  done(item: WireObject): void {
    this.#rest(textAt(item['input'], 'item.input'))
    const { writer } = this.#context
    writer.inputJson(CUSTOM_INPUT.end)
    writer.closeBlock()
  }

  #rest(text: string): void {
    if (this.#length === 0) this.#push(text)
  }

  #push(text: string): void {
    this.#length += text.length
    this.#context.writer.inputJson(JSON.stringify(text).slice(1, -1))
  }
}
