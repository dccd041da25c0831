/** The schema of a tool's input, as far as an example needs it. */
export interface SampleSchema {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SampleSchema>>
  readonly required?: readonly string[]
}

/** An input with everything that a tool's schema asks for. */
export function sampleInput({ properties = {}, required = [] }: SampleSchema = {}): object {
  return Object.fromEntries(required.map((name) => [name, sampleValue(properties[name] ?? {})]))
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'demo',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  null: null,
}

function sampleValue(schema: SampleSchema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'object') return sampleInput(schema)
  return typeof schema.type === 'string' ? SAMPLES[schema.type] : 'demo'
}
