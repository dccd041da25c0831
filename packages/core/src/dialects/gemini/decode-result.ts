import type { Notes } from '../../hub/note.ts'
import { expectShallowObject } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { type ContentBlock, decodeFileData, decodeInlineData } from './decode-part.ts'
import { Fields } from './fields.ts'

/** What a function gave back, in the hub's form. */
interface DecodedResult {
  readonly content: string | ContentBlock[]
  readonly isError: boolean
}

/** The keys that hold the text of a result, by Google's documentation and by custom. */
const WORDS: ReadonlySet<string> = new Set(['output', 'result', 'content', 'error'])

/** Decodes a function response: its words, and the pictures and documents that it holds. */
export function decodeResult(result: Fields, notes: Notes): DecodedResult {
  const response = result.get('response')
  const given = response === undefined ? {} : expectShallowObject(response, result.pathOf('response'))
  const isError = saysSomething(given['error'])
  const text = textOf(withoutFrame(given, result.get('name')))
  const media = result.list('parts').map((value, index) => {
    const part = new Fields(value, `${result.pathOf('parts')}[${index}]`)
    return mediaOf(part, notes)
  })
  const blocks = media.filter((block) => block !== undefined)
  if (blocks.length === 0) return { content: text, isError }
  const words: ContentBlock[] = text === '' ? [] : [{ type: 'text', text }]
  return { content: [...words, ...blocks], isError }
}

function mediaOf(part: Fields, notes: Notes): ContentBlock | undefined {
  const data = part.object('inlineData')
  const file = part.object('fileData')
  part.noteOthers(notes)
  if (data !== undefined) return decodeInlineData(data, notes)
  return file === undefined ? undefined : decodeFileData(file, notes)
}

/** Results that went well have an error that is null, empty or false where a client always writes the field. */
function saysSomething(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** What says nothing: an error that is none, and the function's name, which Vercel's AI SDK writes beside its words. */
function withoutFrame(values: JsonObject, name: unknown): JsonObject {
  const { error, name: named, ...rest } = values
  const kept = {
    ...(named !== undefined && named !== name && { name: named }),
    ...rest,
    ...(saysSomething(error) && { error }),
  }
  return Object.keys(kept).length === 0 && named !== undefined ? values : kept
}

/** The words alone where there is nothing else; JSON where a part of it would be lost. */
function textOf(values: JsonObject): string {
  const entries = Object.entries(values)
  const [first, ...more] = entries
  if (first === undefined) return ''
  const [name, value] = first
  if (more.length > 0 || !WORDS.has(name)) return JSON.stringify(values)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
