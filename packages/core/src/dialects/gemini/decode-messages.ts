import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubMessage } from '../../hub/request.ts'
import { expectShallowObject, unexpectedValue } from '../../json/expect.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { isPresent } from '../../json/present.ts'
import { CallPairs } from './call-pairs.ts'
import { decodeFileData, decodeInlineData } from './decode-part.ts'
import { decodeResult } from './decode-result.ts'
import { Fields } from './fields.ts'
import { camelOf } from './spelling.ts'
import {
  sealCallSignature,
  sealLoneSignature,
  sealPart,
  sealTextSignature,
  SERVER_PARTS,
  unpackSignature,
} from './thinking.ts'
import { type Side, Turns } from './turns.ts'

const SIDES: ReadonlyMap<string, Side> = new Map([
  ['USER', 'user'],
  ['FUNCTION', 'user'],
  ['TOOL', 'user'],
  ['MODEL', 'assistant'],
  ['ASSISTANT', 'assistant'],
])

/** The turns of a conversation. */
export function decodeMessages(contents: readonly unknown[], notes: Notes): HubMessage[] {
  const pairs = new CallPairs(notes)
  const turns = new Turns()
  for (const [index, value] of contents.entries()) {
    const content = new Fields(value, `contents[${index}]`)
    new ContentDecoder({ notes, pairs, turns, side: sideOf(content) }).decode(content)
  }
  if (turns.messages.length > 0) return turns.messages
  throw invalidRequest('contents', 'expected something to answer, got empty contents')
}

interface Context {
  readonly notes: Notes
  readonly pairs: CallPairs
  readonly turns: Turns
  readonly side: Side
}

/** One content of a request, part by part. */
class ContentDecoder {
  readonly #side: Side
  readonly #notes: Notes
  readonly #pairs: CallPairs
  readonly #turns: Turns

  constructor({ notes, pairs, turns, side }: Context) {
    this.#notes = notes
    this.#pairs = pairs
    this.#turns = turns
    this.#side = side
  }

  decode(content: Fields): void {
    for (const [index, value] of content.list('parts').entries()) {
      this.#part(value, `${content.pathOf('parts')}[${index}]`)
    }
    content.noteOthers(this.#notes)
  }

  #part(value: unknown, path: string): void {
    const part = new Fields(value, path)
    const signature = part.text('thoughtSignature') ?? ''
    const isThought = part.get('thought') === true
    if (this.#serverPart(value)) return
    const text = part.text('text') ?? ''
    const call = part.object('functionCall')
    const result = part.object('functionResponse')
    const data = part.object('inlineData')
    const file = part.object('fileData')
    if (call !== undefined) this.#call(call, signature)
    else if (result !== undefined) this.#result(result)
    else if (isThought) this.#proof(signature, sealLoneSignature, text)
    else if (data !== undefined) this.#add(decodeInlineData(data, this.#notes))
    else if (file !== undefined) this.#add(decodeFileData(file, this.#notes))
    else this.#text(text, signature)
    part.noteOthers(this.#notes)
  }

  /** What Google's own tools did means something to Google only. */
  #serverPart(value: unknown): boolean {
    if (!isJsonObject(value)) return false
    const isServers = (name: string): boolean =>
      SERVER_PARTS.includes(camelOf(name)) && isPresent(value[name])
    if (!Object.keys(value).some(isServers)) return false
    const part = Object.fromEntries(Object.entries(value).map(([name, inner]) => [camelOf(name), inner]))
    this.#think('', sealPart(part))
    return true
  }

  #call(call: Fields, signature: string): void {
    const name = call.text('name') ?? ''
    if (name === '') throw unexpectedValue(call.pathOf('name'), 'non-empty string', call.get('name'))
    const args = call.get('args')
    const input = args === undefined ? {} : expectShallowObject(args, call.pathOf('args'))
    const id = this.#pairs.call({ id: call.text('id') || undefined, name, path: call.path })
    call.noteOthers(this.#notes)
    this.#proof(signature, (proof) => sealCallSignature(proof, id))
    this.#turns.add('assistant', { type: 'tool_use', id, name, input })
  }

  #result(result: Fields): void {
    const { content, isError } = decodeResult(result, this.#notes)
    const name = result.text('name') ?? ''
    const id = this.#pairs.result({ id: result.text('id') || undefined, name, path: result.path })
    result.noteOthers(this.#notes)
    if (id === undefined) return
    const error = isError && { is_error: true }
    this.#turns.add('user', { type: 'tool_result', tool_use_id: id, content, ...error })
  }

  #text(text: string, signature: string): void {
    this.#proof(signature, text === '' ? sealLoneSignature : sealTextSignature)
    if (text !== '') this.#add({ type: 'text', text })
  }

  /** The thinking that a signature contains or proves, with the words beside it. */
  #proof(signature: string, seal: (proof: string) => string, text = ''): void {
    const kept = signature === '' ? 'dummy' : unpackSignature(signature)
    if (kept === 'dummy') {
      if (text !== '') this.#turns.show(text)
      return
    }
    if (kept === 'google') this.#think(text, seal(signature))
    else this.#turns.restore(kept)
  }

  #think(thinking: string, signature: string): void {
    this.#turns.add('assistant', { type: 'thinking', thinking, signature })
  }

  #add(block: HubBlock): void {
    this.#turns.add(this.#side, block)
  }
}

function sideOf(content: Fields): Side {
  const role = content.text('role') ?? ''
  const side = role === '' ? 'user' : SIDES.get(role.toUpperCase())
  if (side !== undefined) return side
  throw unexpectedValue(content.pathOf('role'), 'one of user, model', role)
}
