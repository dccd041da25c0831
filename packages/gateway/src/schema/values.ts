// oxlint-disable-next-line no-underscore-dangle -- Valibot's own name for what schemas are made with
import { _addIssue as addIssue } from 'valibot'
import { didYouMean } from '@hydra/core/did-you-mean'
import * as v from 'valibot'

/** The bounds of a number. */
interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Any string. */
export const text: v.StringSchema<string> = v.string('expected a string')

/** A string with something in it. */
export const someText: v.GenericSchema<string> = v.pipe(
  text,
  v.minLength(1, 'expected a text with something in it'),
)

/** `true` or `false`. */
export const flag: v.BooleanSchema<string> = v.boolean('expected true or false')

/** A whole number within bounds. */
export function wholeNumber(bounds: Bounds = {}): v.GenericSchema<number> {
  return numberWith('expected a whole number', bounds)
}

function numberWith(words: string, bounds: Bounds): v.GenericSchema<number> {
  return v.pipe(v.number(words), v.integer(words), ...within(bounds))
}

/** A number within bounds. */
export function someNumber(bounds: Bounds = {}): v.GenericSchema<number> {
  return v.pipe(v.number('expected a number'), ...within(bounds))
}

function within({
  min = -Infinity,
  max = Infinity,
}: Bounds): v.PipeItem<number, number, v.BaseIssue<unknown>>[] {
  return [
    ...(min === -Infinity ? [] : [v.minValue(min, `expected at least ${min}`)]),
    ...(max === Infinity ? [] : [v.maxValue(max, `expected at most ${max}`)]),
  ] as v.PipeItem<number, number, v.BaseIssue<unknown>>[]
}

/** What a timer can wait for: one that is set to more ends at once. */
const MAX_TIMER_MS = 2_147_483_647

const MILLISECONDS = 'expected a whole number of milliseconds, such as 30000'

/** Milliseconds. */
export const duration: v.GenericSchema<number> = numberWith(MILLISECONDS, { min: 1, max: MAX_TIMER_MS })

/** Milliseconds, or none at all. */
export const anyDuration: v.GenericSchema<number> = numberWith(MILLISECONDS, { min: 0, max: MAX_TIMER_MS })

/** Milliseconds that no timer counts. */
export const age: v.GenericSchema<number> = numberWith(MILLISECONDS, { min: 1 })

/** A string of a form, and what the form is called. */
export function matching(pattern: RegExp, words: string): v.GenericSchema<string> {
  return v.pipe(text, v.regex(pattern, words))
}

/** One of several words. */
export function oneOf<const Names extends readonly string[]>(
  ...names: Names
): v.PicklistSchema<Names, (issue: v.BaseIssue<unknown>) => string> {
  return v.picklist(names, ({ input }) => expectedOneOf(names, input))
}

/** The words for a value that is none of these. */
export function expectedOneOf(names: readonly string[], input: unknown): string {
  const expected = `expected one of ${names.join(', ')}`
  return [expected, (typeof input === 'string' && didYouMean(input, names)) || []].flat().join('; ')
}

/** A list that nobody here changes. */
export function list<Item extends v.GenericSchema>(
  item: Item,
): v.GenericSchema<readonly v.InferInput<Item>[]> {
  return v.array(item, 'expected a list')
}

/** A list with something in it. */
export function fullList<Item extends v.GenericSchema>(
  item: Item,
): v.GenericSchema<readonly v.InferInput<Item>[]> {
  return v.pipe(v.array(item, 'expected a list'), v.minLength(1, 'expected at least one value'))
}

/** Values by names of somebody's choice. */
export function byName<Item extends v.GenericSchema>(
  item: Item,
  name: v.GenericSchema<string> = v.string(),
): v.GenericSchema<Readonly<Record<string, v.InferInput<Item>>>> {
  const schema = v.record(name as v.StringSchema<undefined>, item, 'expected an object')
  const run: v.GenericSchema['~run'] = (dataset, config) => {
    if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
    addIssue(schema, 'type', dataset, config)
    return dataset as never
  }
  return { ...schema, '~run': run } as never
}
