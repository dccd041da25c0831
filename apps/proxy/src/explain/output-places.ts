import {
  isJsonObject,
  blocksOf,
  type EncodedRequest,
  type HubMessage,
  type HubRequest,
  type MessageOutline,
} from '@hydra/core'
import { leavesOf } from './json-leaves.ts'

/** A place in a translated request. */
export interface Destination {
  readonly path: string
  /** The output message it belongs to, where there are such. */
  readonly message?: number | undefined
  /** The part of that message: `content`, `tool_calls[0]`. */
  readonly part?: string | undefined
}

/** A message of a translated request, and where it is in the body. */
interface PlacedMessage extends MessageOutline {
  readonly path: string
}

/** A request, its translation, and the outline that its dialect gives of it. */
interface PlacedRequest {
  readonly request: HubRequest
  readonly encoded: EncodedRequest
  readonly outline: readonly MessageOutline[]
}

/** A part of a message: up to the first item of a list, or one field. */
const PART = /^\.((?:\w+\.)*?\w+\[\d+\]|\w+)/

const ID = /id$/i

/** Where things are in a translated request, by the outline that its dialect gives of it. */
export class OutputPlaces {
  readonly #body: unknown
  readonly #messages: readonly PlacedMessage[]
  readonly #callIds: ReadonlySet<string>

  /** The ids of calls are those of the request, or others where its upstream does not take those. */
  constructor({ encoded: { body }, outline, request }: PlacedRequest) {
    const list = listOf(body, outline.length)
    this.#body = body
    this.#callIds = new Set(request.messages.flatMap(callIdsIn))
    this.#messages = outline.map((message) => ({ path: `${list}[${message.index}]`, ...message }))
  }

  /** The parts of messages to which these paths belong, each once. */
  destinationsOf(paths: readonly string[]): Destination[] {
    const found = paths.map((path) => this.#destinationOf(path))
    return [...new Map(found.map((destination) => [destination.path, destination])).values()]
  }

  /** Where results say which call they belong to: an id that a call has too. */
  answers(): { readonly message: number; readonly path: string; readonly id: string }[] {
    const ids = leavesOf(this.#body).filter(({ path, text }) => ID.test(path) || this.#callIds.has(text))
    const placed = ids.flatMap(({ path, text: id }) => {
      const owner = this.#ownerOf(path)
      return owner === undefined ? [] : [{ owner, path, id }]
    })
    const called = new Set(placed.filter(({ owner }) => owner.calls > 0).map(({ id }) => id))
    return placed
      .filter(({ owner, id }) => owner.results > 0 && called.has(id))
      .map(({ owner, path, id }) => ({ message: owner.index, path, id }))
  }

  #destinationOf(path: string): Destination {
    const owner = this.#ownerOf(path)
    const part = owner === undefined ? undefined : PART.exec(path.slice(owner.path.length))?.[1]
    if (owner === undefined || part === undefined) return { path }
    return { path: `${owner.path}.${part}`, message: owner.index, part: part.split('.').at(-1) }
  }

  #ownerOf(path: string): PlacedMessage | undefined {
    return this.#messages.find((message) => path.startsWith(`${message.path}.`))
  }
}

function callIdsIn(message: HubMessage): string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

/** The list of a body that holds its messages, whatever its dialect calls it. */
function listOf(body: Readonly<Record<string, unknown>>, length: number): string {
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length === length)
  const spoken = lists.find(([, value]) =>
    (value as unknown[]).some((item) => isJsonObject(item) && 'role' in item),
  )
  return (spoken ?? lists[0])?.[0] ?? ''
}
