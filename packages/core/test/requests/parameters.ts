import * as fc from 'fast-check'

/** Schemas as tools and clients send them. */
export const SCHEMAS: readonly object[] = [
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
  { type: 'object' },
  { $schema: 'x', properties: { list: { type: 'array' }, const: { const: 1 } } },
  { type: 'object', oneOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] },
  {
    type: 'object',
    properties: { rows: { type: ['array', 'null'] }, default: { type: 'object' } },
    $defs: {},
  },
]

/** The fields of a request beside its messages and tools, any of which may be missing. */
export const parameters: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.record(
  {
    system: fc.constantFrom(
      'S',
      '',
      [
        { type: 'text', text: 'x-anthropic-billing-header: a=1;' },
        { type: 'text', text: 'S', cache_control: {} },
      ],
      [],
    ),
    stop_sequences: fc.array(fc.constantFrom('', 'END', 'STOP', '###', '\n\n', 'Q:'), { maxLength: 6 }),
    temperature: fc.constantFrom(0, 0.5, 1),
    top_p: fc.constantFrom(0.1, 1),
    top_k: fc.constantFrom(1, 40),
    stream: fc.boolean(),
    thinking: fc.constantFrom(
      { type: 'adaptive' },
      { type: 'disabled' },
      { type: 'enabled', budget_tokens: 1024 },
      { type: 'enabled', budget_tokens: 32_000 },
    ),
    output_config: fc.record(
      {
        effort: fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max', 'of-tomorrow'),
        format: fc.constantFrom(
          { type: 'json_schema', schema: SCHEMAS[0] },
          { type: 'json_schema', schema: {} },
        ),
      },
      { requiredKeys: [] },
    ),
    metadata: fc.constantFrom({ user_id: '{"session_id":"s-1"}' }, { user_id: 'u'.repeat(300) }, {}),
    context_management: fc.constant({ edits: [] }),
    of_tomorrow: fc.constant(true),
  },
  { requiredKeys: [] },
)
