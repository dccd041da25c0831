import { isJsonObject } from '../../json/json-object.ts'
import { isPresent } from '../../json/present.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from '../../json/wire.ts'
import { parseInput } from '../../stream/collect.ts'
import type { DecodeContext } from '../dialect.ts'
import { PartialArguments } from './call-piece.ts'
import {
  sealCallSignature,
  sealLoneSignature,
  sealPart,
  sealTextSignature,
  SERVER_PARTS,
} from './thinking.ts'

const PARTS = 'candidates[0].content.parts'

/** What a part has beside the one thing that it is. */
const BESIDE_CONTENT: ReadonlySet<string> = new Set(['thought', 'thoughtSignature'])

/** A call whose arguments are still coming. */
interface OpenCall {
  readonly name: string
  readonly id: string
  readonly signature: string
  readonly args: PartialArguments
}

/** Reads the parts of an answer one after the other and tells them to the block writer. */
export class PartDecoder {
  readonly #context: DecodeContext
  #open: OpenCall | undefined
  #calls = 0
  /** Something was said or called. */
  hasContent = false

  constructor(context: DecodeContext) {
    this.#context = context
  }

  /** How many calls were written. */
  get calls(): number {
    return this.#calls
  }

  /** A call has begun whose end has not come. */
  get isInCall(): boolean {
    return this.#open !== undefined
  }

  /** The answer has ended in the middle of a call: what a client would run is not all that the model meant. */
  cut(): void {
    if (this.#open === undefined) return
    const message = `the call of ${this.#open.name} was cut off by the end of the answer, and left out`
    this.#open = undefined
    this.#context.notes.add('call_ignored', PARTS, message)
  }

  parts(parts: unknown): void {
    for (const [index, element] of arrayAt(parts, PARTS).entries()) {
      const part = objectAt(element, `${PARTS}[${index}]`)
      if (part !== undefined) this.#part(part, `${PARTS}[${index}]`)
    }
  }

  #part(part: WireObject, path: string): void {
    const signature = textAt(part['thoughtSignature'], `${path}.thoughtSignature`)
    const call = objectAt(part['functionCall'], `${path}.functionCall`)
    if (call !== undefined) {
      this.#call(call, { signature, path: `${path}.functionCall` })
      return
    }
    if (SERVER_PARTS.some((kind) => isPresent(part[kind]))) {
      this.#serverPart(part, path)
      return
    }
    const text = textAt(part['text'], `${path}.text`)
    if (part['thought'] === true) this.#thought(text, signature)
    else this.#text(text, signature)
    if (!isPresent(part['text'])) this.#noteUnknown(part, path)
  }

  #thought(text: string, signature: string): void {
    const { writer } = this.#context
    writer.thinking(text)
    if (signature !== '') writer.signature(sealLoneSignature(signature))
  }

  #text(text: string, signature: string): void {
    const { writer } = this.#context
    if (text !== '') {
      if (signature !== '') writer.signature(sealTextSignature(signature))
      this.hasContent = true
      writer.text(text)
    } else if (signature !== '') {
      this.#loneSignature(signature)
    }
  }

  /** Behind the last words it helps Google a little, and many clients take what comes last for the answer. */
  #loneSignature(signature: string): void {
    const { writer, notes, reply } = this.#context
    if (reply.takesClosingProof === true) writer.signature(sealLoneSignature(signature))
    else
      notes.addOnce('signature_dropped', PARTS, 'a signature behind the answer has no place for this client')
  }

  #call(call: WireObject, { signature, path }: { signature: string; path: string }): void {
    const name = textAt(call['name'], `${path}.name`)
    const isUnfinished = call['willContinue'] === true
    if (name !== '') {
      this.#flush()
      const id = textAt(call['id'], `${path}.id`)
      if (!isUnfinished && !isPresent(call['partialArgs'])) {
        this.#tell({ name, id, signature, input: this.#inputOf(call['args'], `${path}.args`) })
        return
      }
      this.#open = { name, id, signature, args: new PartialArguments(call['args']) }
    }
    if (this.#open === undefined) {
      refuseNameless(call, path)
      this.#context.notes.add('call_ignored', path, 'a piece of a call that never began was left out')
      return
    }
    this.#open.args.add(call['partialArgs'], `${path}.partialArgs`)
    if (!isUnfinished) this.#flush()
  }

  #flush(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    this.#tell({ ...open, input: JSON.stringify(open.args.value) })
  }

  #inputOf(args: unknown, path: string): string {
    if (args === undefined || args === null) return '{}'
    if (isJsonObject(args)) return JSON.stringify(args)
    this.#context.notes.add('arguments_not_object', path, 'the arguments of a call are no JSON object')
    return JSON.stringify(parseInput(typeof args === 'string' ? args : JSON.stringify(args)))
  }

  #tell({
    name,
    id,
    signature,
    input,
  }: {
    name: string
    id: string
    signature: string
    input: string
  }): void {
    const { writer, reply, messageId } = this.#context
    const clientId = reply.callIds.claim(id, `${messageId}_${this.#calls}`)
    this.#calls += 1
    this.hasContent = true
    if (signature !== '') writer.signature(sealCallSignature(signature, clientId))
    writer.begin({ type: 'tool_use', id: clientId, name: reply.names.toClient(name) })
    writer.inputJson(input)
    writer.closeBlock()
  }

  /** What Google's own tools did: a client of another dialect keeps it unread, for the next turn. */
  #serverPart(part: WireObject, path: string): void {
    this.#context.writer.signature(sealPart(part))
    const words = 'what a tool of Google did is kept for the next turn, and not shown'
    this.#context.notes.addOnce('server_part_kept', path, words)
  }

  /** Pictures and parts of tomorrow: nothing that a client of another dialect could be given. */
  #noteUnknown(part: WireObject, path: string): void {
    const kind = Object.keys(part).find((key) => !BESIDE_CONTENT.has(key) && isPresent(part[key]))
    if (kind === undefined) return
    this.hasContent ||= kind === 'inlineData' || kind === 'fileData'
    this.#context.notes.add('part_dropped', `${path}.${kind}`, 'a part without an equivalent was left out')
  }
}

/** The mark at the end of a call is empty; arguments without a name are a call that nobody can run. */
function refuseNameless({ args }: WireObject, path: string): void {
  if (!isJsonObject(args) || Object.keys(args).length === 0) return
  throw new WireFault(`${path}.name`, 'the name of a function', 'nothing')
}
