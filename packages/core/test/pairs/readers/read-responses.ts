import { demand, type Fields, ReadItem, same } from './read-items.ts'

/** What a stream of Responses events says, once its grammar was checked. */
export interface ReadResponse {
  /** The response of the last event. */
  readonly response: Fields
  /** Absent if it ended well. */
  readonly error: Fields | undefined
}

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])
const BEGINNINGS = ['response.created', 'response.in_progress']
const SEARCH_STEP = /^response\.web_search_call\./
const EVENT = /^event: ([^\n]+)\ndata: ([^\n]+)$/

/**
 * Reads a stream and throws at the first violation: events that are named and numbered from zero, `created` and
 * `in_progress` first, items one after the other, and one end that repeats all of them; an error is an event of its
 * own and then a response that failed.
 */
export function readResponses(output: string): ReadResponse {
  demand(output === '' || output.endsWith('\n\n'), 'the last event has no end')
  const reader = new ResponseReader()
  for (const text of output.split('\n\n').slice(0, -1)) reader.read(text)
  return reader.result()
}

class ResponseReader {
  readonly #items: ReadItem[] = []
  #events = 0
  #id: unknown
  #error: Fields | undefined
  #end: Fields | undefined

  read(text: string): void {
    const [, name, data = ''] = EVENT.exec(text) ?? []
    const event = JSON.parse(data) as Fields
    same(data, JSON.stringify(event))
    same([event['type'], event['sequence_number']], [name, this.#events])
    this.#events += 1
    demand(this.#end === undefined, `${String(name)} after the end`)
    this.#event(String(name), event)
  }

  result(): ReadResponse {
    if (this.#end === undefined) throw new Error('the stream has no end')
    return { response: this.#end, error: this.#error }
  }

  #event(type: string, event: Fields): void {
    const response = event['response'] as Fields | undefined
    if (response !== undefined) this.#responseOf(response)
    const beginning = BEGINNINGS[this.#events - 1]
    if (beginning !== undefined) {
      same([type, response?.['status'], response?.['output']], [beginning, 'in_progress', []])
      return
    }
    if (type === 'error') this.#fail(event)
    else if (ENDS.has(type)) this.#finish(type, response ?? {})
    else this.#itemEvent(type, event)
  }

  #itemEvent(type: string, event: Fields): void {
    demand(this.#error === undefined, `${type} after an error`)
    const { output_index: index, item } = event
    if (type === 'response.output_item.added') {
      same(index, this.#items.length)
      demand(
        this.#items.every(({ final }) => final !== undefined),
        'an item begins while another is open',
      )
      this.#items.push(new ReadItem(item as Fields))
      return
    }
    const open = this.#items[Number(index)]
    if (open === undefined) throw new Error(`${type} for item ${String(index)}, which never began`)
    if (type === 'response.output_item.done') open.close(item as Fields)
    else if (!SEARCH_STEP.test(type)) open.event(type.replace('response.', ''), event)
  }

  #responseOf(response: Fields): void {
    this.#id ??= response['id']
    same([response['id'], response['object']], [this.#id, 'response'])
    demand(typeof this.#id === 'string' && this.#id.startsWith('resp_'), `the id is ${String(this.#id)}`)
    demand(typeof response['model'] === 'string' && response['model'] !== '', 'a response without a model')
    demand(Number.isInteger(response['created_at']), 'a response without a time')
  }

  #fail(event: Fields): void {
    demand(typeof event['message'] === 'string' && event['message'] !== '', 'an error without a message')
    demand(typeof event['code'] === 'string' && event['code'] !== '', 'an error without a code')
    this.#error = event
  }

  #finish(type: string, response: Fields): void {
    same(response['status'], type.replace('response.', ''))
    this.#end = response
    if (type === 'response.failed') {
      demand(typeof (response['error'] as Fields)['message'] === 'string', 'a failure without a message')
      return
    }
    demand(this.#error === undefined, 'a clean end after an error')
    same(response['error'], null)
    same(
      response['output'],
      this.#items.map(({ final }) => final ?? null),
    )
    const { input_tokens: input, output_tokens: written, total_tokens: total } = response['usage'] as Fields
    same(total, Number(input) + Number(written))
  }
}
