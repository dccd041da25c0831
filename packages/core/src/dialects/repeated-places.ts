import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** Where requests hold what an agent sends again with every one of them: its tools and its instructions. */
export interface RepeatedPlaces {
  /** The member of the body that is the list of tools. */
  readonly tools: string
  /** Where the texts of the instructions are. */
  instructions(body: JsonObject): readonly TextPlace[]
}

/** An object of a body, and the member of it that is a text. */
export interface TextPlace {
  readonly holder: JsonObject
  readonly key: string
}

/** Where the texts of a member are: itself, its blocks or its parts, as all dialects write them. */
export function textPlaces(holder: JsonObject, key: string): readonly TextPlace[] {
  const value = holder[key]
  if (typeof value === 'string') return [{ holder, key }]
  const blocks = isJsonObject(value) ? value['parts'] : value
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((block: unknown) =>
    isJsonObject(block) && typeof block['text'] === 'string' ? [{ holder: block, key: 'text' }] : [],
  )
}

/** Where the texts of the messages are that say what to do: those of the system and of developers. */
export function instructionPlaces(body: JsonObject, key: string): readonly TextPlace[] {
  const messages = body[key]
  if (!Array.isArray(messages)) return []
  return messages.flatMap((message: unknown) =>
    isInstruction(message) ? textPlaces(message, 'content') : [],
  )
}

function isInstruction(message: unknown): message is JsonObject {
  return isJsonObject(message) && (message['role'] === 'system' || message['role'] === 'developer')
}
