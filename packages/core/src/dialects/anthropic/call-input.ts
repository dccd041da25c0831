import { GatheredText } from '../../fast-text/gathered-text.ts'
import type { PieceRules } from '../../fast-text/piece-taker.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import { HubError } from '../../hub/error.ts'
import type { HubContentBlock } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { jsonIn } from '../../json/wire.ts'
import type { DecodeContext } from '../dialect.ts'

type Call = Extract<HubContentBlock, { type: 'tool_use' | 'server_tool_use' }>
type CallNames = Pick<Call, 'id' | 'name'>

/**
 * The input of one call after the other. Anthropic sends it in pieces behind the beginning of its block, its own
 * programs all at once with the beginning, and some servers do both: then the pieces count, as they do for SDKs.
 */
export class CallInput implements PieceRules {
  readonly #context: DecodeContext
  #isOpen = false
  #first = ''
  #json = new GatheredText()

  constructor(context: DecodeContext) {
    this.#context = context
  }

  /** Whether a call has begun whose input is not complete. */
  get isPending(): boolean {
    return this.#isOpen && !isJsonObject(jsonIn(this.#told))
  }

  /** The id and the name under which the client knows a call; those of Anthropic's own servers are not renamed. */
  known({ type, id, name }: Call, number: number): CallNames {
    if (type === 'server_tool_use') return { id, name }
    const { messageId, reply } = this.#context
    return { id: reply.callIds.claim(id, `${messageId}_${number}`), name: reply.names.toClient(name) }
  }

  /** A call has begun; its block may hold its input. */
  begin({ type, id, name, input }: Call): void {
    expectName(id, `${type}.id`)
    expectName(name, `${type}.name`)
    this.#isOpen = true
    if (typeof input === 'string') this.#first = input
    else if (isJsonObject(input) && Object.keys(input).length === 0) this.#first = ''
    else this.#first = input === undefined || input === null ? '' : JSON.stringify(input)
  }

  tell(piece: string): void {
    this.#json.push(piece)
    this.#context.writer.inputJson(piece)
  }

  /** Takes in pieces that go to the client past this. */
  pass(pieces: TextRun): true {
    this.#json.pushRun(pieces)
    return true
  }

  /** Whatever was open has ended. Nobody checks what a model writes while it streams, or at the limit of an answer. */
  end(): void {
    const json = this.#told
    this.#isOpen = false
    if (this.#json.isEmpty && json !== '') this.#context.writer.inputJson(json)
    this.#first = ''
    this.#json = new GatheredText()
    if (json === '' || isJsonObject(jsonIn(json))) return
    const message = 'the input of a call is no JSON object and was passed on as it came'
    this.#context.notes.add('arguments_not_json', 'partial_json', message)
  }

  get #told(): string {
    return this.#json.isEmpty ? this.#first : this.#json.text
  }
}

/** A call without its id cannot be answered, and one without its name cannot be run. */
function expectName(value: unknown, path: string): void {
  if (typeof value === 'string' && value !== '') return
  throw new HubError('api_error', `anthropic: expected ${path} to be a non-empty string`)
}
