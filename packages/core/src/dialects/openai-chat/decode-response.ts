import type { ChatContext } from './profile.ts'
import { ChatStreamDecoder } from './decode-stream.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'
import { withField } from '../../json/with-field.ts'
import { locatedFault, objectAt, WireFault, type WireObject } from '../../json/wire.ts'
import { NAME } from './wire.ts'

/** Reads an answer that came in one body: it is a stream of one chunk, so both have one meaning. */
export function decodeResponse(body: unknown, context: ChatContext): void {
  if (isErrorPayload(body)) throw decodeErrorPayload(body)
  const decoder = new ChatStreamDecoder(context)
  try {
    decoder.chunk(asChunk(body))
    decoder.conclude()
  } catch (thrown) {
    throw locatedFault(thrown, NAME)
  }
}

function asChunk(body: unknown): WireObject {
  const answer = objectAt(body, 'the answer')
  const choices = answer?.['choices']
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new WireFault('choices', 'an array with an answer', choices)
  }
  // Whatever their numbers are: the others are known by their place, and leave a note.
  const told = choices.map((choice: unknown, place) =>
    place === 0 || isPart(choice, choices[0]) ? pieceOf(choice, place) : { index: place },
  )
  return { ...answer, choices: told }
}

/** Copilot spreads an answer of Claude over several choices, none of which has a number: its text, then its calls. */
function isPart(choice: unknown, first: unknown): boolean {
  return [choice, first].every((value) => isJsonObject(value) && value['index'] === undefined)
}

function pieceOf(value: unknown, place: number): WireObject {
  const path = `choices[${place}]`
  const choice = objectAt(value, path) ?? {}
  const message = objectAt(choice['message'], `${path}.message`)
  const delta = message === undefined ? choice['delta'] : withNumberedCalls(message, place)
  return { ...choice, index: 0, delta }
}

/** In one body each call stands for itself, whatever it shares with the others: LocalAI gives all of them one id. */
function withNumberedCalls(message: WireObject, place: number): WireObject {
  const { tool_calls: calls } = message
  if (!Array.isArray(calls)) return message
  const numbered = mapChanged(calls, (call, index) =>
    isJsonObject(call) ? withField(call, 'index', `${place}.${index}`) : call,
  )
  return { ...message, tool_calls: numbered }
}
