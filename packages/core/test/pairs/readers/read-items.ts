/** The fields of something on the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** One part of a message or of reasoning while it comes. */
interface OpenPart {
  text: string
  /** What the end of the text says that it is. */
  told: string | undefined
  closed: boolean
}

/**
 * One item of a Responses stream between `output_item.added` and `output_item.done`. Throws at the first thing that
 * does not fit: parts one after the other, deltas only while a part is open, and every `.done` says what the deltas
 * add up to.
 */
export class ReadItem {
  readonly #head: Fields
  readonly #content: OpenPart[] = []
  readonly #summary: OpenPart[] = []
  #input = ''
  #inputDone = false
  /** The item as it is at its end. */
  final: Fields | undefined

  constructor(head: Fields) {
    this.#head = head
    demand(typeof head['id'] === 'string' && head['id'] !== '', 'an item without an id')
    if (head['type'] === 'message')
      same([head['role'], head['status'], head['content']], ['assistant', 'in_progress', []])
    if (head['type'] === 'reasoning') same(head['summary'], [])
    if (head['type'] === 'function_call') {
      same([head['arguments'], head['status']], ['', 'in_progress'])
      demand(Boolean(head['call_id']) && Boolean(head['name']), 'a call without a name or an id')
    }
  }

  event(type: string, event: Fields): void {
    demand(this.final === undefined, `${type} after the end of its item`)
    same(event['item_id'], this.#head['id'])
    const [kind = '', step = ''] = type.split('.')
    if (kind === 'function_call_arguments') this.#arguments(step, event)
    else if (kind === 'content_part') part(this.#content, step, [event['content_index'], event['part']])
    else if (kind === 'reasoning_summary_part')
      part(this.#summary, step, [event['summary_index'], event['part']])
    else if (kind === 'output_text') words(openAt(this.#content, event['content_index']), step, event)
    else if (kind === 'reasoning_summary_text')
      words(openAt(this.#summary, event['summary_index']), step, event)
    else throw new Error(`an event of the unknown type ${type}`)
  }

  close(item: Fields): void {
    demand(this.final === undefined, 'an item that ends twice')
    for (const field of ['id', 'type', 'call_id', 'name', 'role']) same(item[field], this.#head[field])
    same(textsOf(item['content']), settled(this.#content))
    same(textsOf(item['summary']), settled(this.#summary))
    if (item['type'] === 'function_call') {
      demand(this.#inputDone, 'a call whose arguments never ended')
      same(item['arguments'], this.#input)
    }
    this.final = item
  }

  #arguments(step: string, event: Fields): void {
    demand(!this.#inputDone, 'arguments after their end')
    if (step === 'delta') {
      this.#input += piece(event['delta'])
      return
    }
    same([event['arguments'], event['name']], [this.#input, this.#head['name']])
    this.#inputDone = true
  }
}

function part(parts: OpenPart[], step: string, [index, value]: readonly [unknown, unknown]): void {
  const { text } = value as Fields
  if (step === 'added') {
    same([index, text], [parts.length, ''])
    demand(
      parts.every(({ closed }) => closed),
      'a part begins while another is open',
    )
    parts.push({ text: '', told: undefined, closed: false })
    return
  }
  const open = openAt(parts, index)
  same([open.told, text], [open.text, open.text])
  open.closed = true
}

function words(open: OpenPart, step: string, event: Fields): void {
  if (step === 'annotation') return
  demand(open.told === undefined, 'text after its end')
  if (step === 'delta') open.text += piece(event['delta'])
  else {
    same(event['text'], open.text)
    open.told = open.text
  }
}

function openAt(parts: readonly OpenPart[], index: unknown): OpenPart {
  const open = parts[Number(index)]
  if (open === undefined || open.closed) throw new Error(`part ${String(index)} is not open`)
  return open
}

function settled(parts: readonly OpenPart[]): string[] {
  demand(
    parts.every(({ closed }) => closed),
    'an item ends while a part is open',
  )
  return parts.map(({ text }) => text)
}

function textsOf(parts: unknown): unknown[] {
  return ((parts ?? []) as Fields[]).map(({ text }) => text)
}

function piece(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`expected a piece of text, got ${JSON.stringify(value)}`)
}

/** Throws unless two values are the same JSON. */
export function same(actual: unknown, expected: unknown): void {
  const [have, want] = [JSON.stringify(actual), JSON.stringify(expected)]
  demand(have === want, `expected ${want}, got ${have}`)
}

/** Throws unless something holds. */
export function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
