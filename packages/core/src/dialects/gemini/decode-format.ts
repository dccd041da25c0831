import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { decodeSchema } from './decode-schema.ts'
import { Fields } from './fields.ts'

/** The form of an answer in the hub's fields. */
interface DecodedFormat {
  readonly config: Pick<NonNullable<HubRequest['output_config']>, 'format'>
  readonly extras: HubExtras
  readonly instruction: string
}

const ANY_FORMAT: DecodedFormat = { config: {}, extras: {}, instruction: '' }

/** Decodes the fields of a `generationConfig` that say which form the answer shall have. */
export function decodeFormat(config: Fields, notes: Notes): DecodedFormat {
  const wish = newerWish(config, notes) ?? olderWish(config)
  const { type, schema } = wish
  if (type === 'text/x.enum') return enumFormat(wish, notes)
  if (schema !== undefined)
    return { ...ANY_FORMAT, config: { format: { type: 'json_schema', schema: { ...schema } } } }
  if (type === 'application/json') return { ...ANY_FORMAT, extras: { json_object: true } }
  if (type !== '' && type !== 'text/plain')
    notes.add('field_ignored', wish.path, `the format ${type} is not known here`)
  return ANY_FORMAT
}

/** What the client wants, and where it says so. */
interface Wish {
  readonly type: string
  readonly schema: JsonObject | undefined
  readonly path: string
}

function olderWish(config: Fields): Wish {
  const type = config.text('responseMimeType') ?? ''
  const schema = schemaIn(config, ['responseJsonSchema', '_responseJsonSchema', 'responseSchema'])
  return { type, schema, path: config.pathOf('responseMimeType') }
}

/** `responseFormat`, which takes the place of the older fields: one format for each kind of answer. */
function newerWish(config: Fields, notes: Notes): Wish | undefined {
  const formats = config.list('responseFormat').map((value, index) => {
    const format = new Fields(value, `${config.pathOf('responseFormat')}[${index}]`)
    const text = format.object('text')
    format.noteOthers(notes)
    return text
  })
  const text = formats.find((format) => format !== undefined)
  if (text === undefined) return undefined
  // Its type is an enumeration in some of Google's descriptions: APPLICATION_JSON.
  const type = (text.text('mimeType') ?? '').toLowerCase().replace('_', '/')
  const schema = schemaIn(text, ['schema'])
  text.noteOthers(notes)
  return { type, schema, path: text.pathOf('mimeType') }
}

function schemaIn(fields: Fields, names: readonly string[]): JsonObject | undefined {
  for (const name of names) {
    const value = fields.get(name)
    if (value !== undefined) return decodeSchema(value, fields.pathOf(name))
  }
  return undefined
}

/** One of some words, and not as JSON: no other dialect has a field for that. */
function enumFormat({ schema, path }: Wish, notes: Notes): DecodedFormat {
  const values = schema?.['enum']
  if (!Array.isArray(values) || values.length === 0) {
    throw invalidRequest(path, 'expected a schema with the values of the enumeration beside it')
  }
  notes.add('schema_as_prompt', path, 'the values of an enumeration stand in the prompt')
  return {
    ...ANY_FORMAT,
    instruction: `Answer with exactly one of these values, and with nothing else: ${values.join(', ')}`,
  }
}
