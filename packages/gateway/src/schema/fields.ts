import { didYouMean } from '@hydra/core/did-you-mean'
// oxlint-disable-next-line no-underscore-dangle -- Valibot's own name for what schemas are made with
import { _addIssue as addIssue } from 'valibot'
import * as v from 'valibot'

type Checked = v.OutputDataset<unknown, v.BaseIssue<unknown>>

/**
 * An object with these keys and no others. Valibot takes a list for an object and names one unknown key only;
 * somebody who has misspelt two wants to hear of both.
 */
export function fields<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, undefined> {
  const schema: v.GenericSchema = v.strictObject(entries, (issue) => wordsFor(issue, Object.keys(entries)))
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const input = dataset.value
    if (Array.isArray(input)) {
      addIssue(schema, 'type', dataset, config)
      return dataset as unknown as Checked
    }
    const checked = schema['~run'](dataset, config)
    for (const key of unknownKeys(input, entries).slice(1)) {
      const path = [{ type: 'unknown', origin: 'key', input, key, value: undefined }] as const
      addIssue(schema, 'key', checked, config, { input: key, expected: 'never', path: [path[0]] })
    }
    return checked
  }
  return { ...schema, '~run': run } as unknown as v.StrictObjectSchema<Entries, undefined>
}

/** What may be given for an object with these keys. */
export type Written<Entries extends v.ObjectEntries> = v.InferInput<v.StrictObjectSchema<Entries, undefined>>

/** What may be given for an object that takes over shared keys; those keep the words above them only by their own name. */
export type Extended<Shared, Schema extends v.GenericSchema> = Shared &
  Omit<v.InferInput<Schema>, keyof Shared>

/**
 * The same schema by the name of what it allows. Declaration files of other folders then refer to that name; what has
 * none is written out in them without the words above its keys, and editors have nothing to show.
 */
export function named<Type>(schema: v.GenericSchema<Type>): v.GenericSchema<Type> {
  return schema
}

function unknownKeys(input: unknown, entries: v.ObjectEntries): readonly string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.keys(input).filter((key) => !Object.hasOwn(entries, key))
}

/** What is wrong with an object as a whole. */
function wordsFor({ expected, input }: v.StrictObjectIssue, known: readonly string[]): string {
  if (expected === 'Object') return 'expected an object'
  if (expected !== 'never') return `the key '${JSON.parse(expected) as string}' is missing`
  const key = String(input)
  return [`unknown key '${key}'`, suggestion(key, known) ?? []].flat().join('; ')
}

/** What other programs call our keys. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  provider: ['upstream', 'profile'],
  providers: ['upstreams'],
  apiKey: ['key'],
  api_key: ['key'],
  baseUrl: ['url'],
  baseURL: ['url'],
  base_url: ['url'],
  api_base: ['url'],
}

function suggestion(key: string, known: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_WORDS, key) ? OTHER_WORDS[key] : undefined
  const meant = other?.find((word) => known.includes(word))
  return meant === undefined ? didYouMean(key, known) : `did you mean '${meant}'?`
}
