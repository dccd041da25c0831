import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { TestTarget } from '../../../test/requests/encode.ts'
import { profiles } from '../../providers/providers.ts'

const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const PNG_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const GENERIC = { profile: 'generic', model: 'some-model' } as const
const MISTRAL = { profile: 'mistral', model: 'mistral-large-latest' } as const
const GEMINI = { profile: 'gemini', model: 'gemini-2.5-pro' } as const

function text(words: string): Record<string, unknown> {
  return { type: 'text', text: words }
}

function use(id: string, name = 'Read'): Record<string, unknown> {
  return { type: 'tool_use', id, name, input: {} }
}

function result(id: string, content?: unknown, extra: object = {}): Record<string, unknown> {
  return { type: 'tool_result', tool_use_id: id, ...(content === undefined ? {} : { content }), ...extra }
}

/** The messages that become of a history. */
function messagesOf(messages: readonly object[], target: TestTarget = {}): readonly unknown[] {
  return encode(requestWith({ messages }), target).messages
}

/** Whose messages they are, in order. */
function rolesOf(messages: readonly object[], target: TestTarget = {}): string[] {
  return encode(requestWith({ messages }), target).messages.map(({ role }) => role)
}

/** The tool messages that become of one call with this result. */
function resultOf(content: unknown, extra: object = {}, target: TestTarget = {}): unknown {
  const messages = [
    { role: 'assistant', content: [use('t1')] },
    { role: 'user', content: [result('t1', content, extra)] },
  ]
  return encode(requestWith({ messages }), target).messages.find(({ role }) => role === 'tool')?.content
}

test('R1: a system prompt that is a text becomes one leading system message', () => {
  const { messages } = encode(requestWith({ system: 'Be kind.' }))
  expect(messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
})

test('R1: system blocks are joined by a blank line, empty ones are skipped', () => {
  const { messages } = encode(requestWith({ system: [text('One.'), text(''), text('Two.')] }))
  expect(messages[0]).toEqual({ role: 'system', content: 'One.\n\nTwo.' })
})

test('R1: the system prompt is the developer’s where the profile says so', () => {
  const { messages } = encode(requestWith({ system: 'Be kind.' }), { model: 'gpt-5' })
  expect(messages[0]).toEqual({ role: 'developer', content: 'Be kind.' })
})

test.each([undefined, '', []])('R1: without a system prompt (%j) there is no system message', (system) => {
  expect(encode(requestWith({ system })).messages).toEqual([{ role: 'user', content: 'Hello' }])
})

test('R2: a system block with the billing header is dropped with a note', () => {
  const system = [text('x-anthropic-billing-header: cc_version=1.2.3;'), text('Be kind.')]
  const encoded = encode(requestWith({ system }))
  expect(encoded.messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
  expect(noted(encoded)).toEqual(['billing_line_dropped system[0]'])
})

test('R2: the words of the billing header inside a block are nobody’s header', () => {
  const { messages } = encode(requestWith({ system: [text('About x-anthropic-billing-header: nothing.')] }))
  expect(messages[0]?.content).toBe('About x-anthropic-billing-header: nothing.')
})

const WITH_SYSTEM = [
  { role: 'user', content: 'One.' },
  { role: 'system', content: 'Mind this.' },
  { role: 'assistant', content: 'Two.' },
]

test('R3: a system message keeps its place where the profile allows it', () => {
  expect(messagesOf(WITH_SYSTEM)[1]).toEqual({ role: 'system', content: 'Mind this.' })
})

test('R3: a system message becomes a reminder in the neighbouring user turn elsewhere, with a note', () => {
  const encoded = encode(requestWith({ messages: WITH_SYSTEM }), GENERIC)
  const content = 'One.\n\n<system-reminder>\nMind this.\n</system-reminder>'
  expect(encoded.messages[0]).toEqual({ role: 'user', content })
  expect(noted(encoded)).toContain('system_as_reminder messages[1]')
})

test('R3: a reminder behind an assistant’s turn begins a user turn', () => {
  const messages = [...WITH_SYSTEM, { role: 'system', content: 'And this.' }]
  expect(rolesOf(messages, GENERIC)).toEqual(['user', 'assistant', 'user'])
})

test('R3: a reminder goes behind the media of the user turn before it', () => {
  const messages = [
    { role: 'user', content: [PNG] },
    { role: 'system', content: 'Mind.' },
  ]
  const content = [PNG_PART, { type: 'text', text: '<system-reminder>\nMind.\n</system-reminder>' }]
  expect(messagesOf(messages, GENERIC)).toEqual([{ role: 'user', content }])
})

test.each([{}, GENERIC, MISTRAL])(
  'R3: a system message never stands between a call and its result (%j)',
  (to) => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('t1')] },
      { role: 'system', content: 'Mind this.' },
      { role: 'user', content: [result('t1', 'done')] },
    ]
    const roles = rolesOf(messages, to)
    expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'tool'])
    const after = to === MISTRAL ? ['assistant', 'user'] : [to === GENERIC ? 'user' : 'system']
    expect(roles.slice(3)).toEqual(after)
    expect(noted(encode(requestWith({ messages }), to))).toContain('system_moved messages[2]')
  },
)

test('R3: a system message may be the last one', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [text('Mind'), text('this.')] },
  ]
  expect(messagesOf(messages)[1]).toEqual({ role: 'system', content: 'Mind\n\nthis.' })
})

test.each(['', [], [text('')], undefined])(
  'R3: a system message without words (%j) is skipped',
  (content) => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'system', content, output_config: { effort: 'low' } },
    ]
    expect(rolesOf(messages)).toEqual(['user'])
    expect(rolesOf(messages, GENERIC)).toEqual(['user'])
  },
)

test('R3: a system message for one turn is gone with the next turn of the user, with a note', () => {
  const brief = { role: 'system', content: 'Just now.', clear_at: 'next_user_message' }
  const now = [{ role: 'user', content: 'One.' }, brief]
  const later = [...now, { role: 'assistant', content: 'Two.' }, { role: 'user', content: 'Three.' }]
  expect(rolesOf(now)).toEqual(['user', 'system'])
  expect(rolesOf(later)).toEqual(['user', 'assistant', 'user'])
  expect(noted(encode(requestWith({ messages: later })))).toEqual(['system_cleared messages[1]'])
})

test('R3: what a system message cannot hold is dropped with a note', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [text('Look:'), PNG] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages[1]).toEqual({ role: 'system', content: 'Look:' })
  expect(noted(encoded)).toEqual(['block_dropped messages[1]'])
})

test('R4: all results come first, then one user message with the rest in order', () => {
  const messages = [
    { role: 'assistant', content: [use('t1'), use('t2')] },
    { role: 'user', content: [text('A'), result('t1', '1'), PNG, result('t2', '2'), text('B')] },
  ]
  expect(messagesOf(messages).slice(1)).toEqual([
    { role: 'tool', tool_call_id: 't1', content: '1' },
    { role: 'tool', tool_call_id: 't2', content: '2' },
    { role: 'user', content: [{ type: 'text', text: 'A' }, PNG_PART, { type: 'text', text: 'B' }] },
  ])
})

test('R4: a user turn of texts only is one string', () => {
  expect(messagesOf([{ role: 'user', content: [text('A'), text('B')] }])).toEqual([
    { role: 'user', content: 'A\n\nB' },
  ])
})

test('R5: results in the order of their completion go back into the order of the calls', () => {
  const messages = [
    { role: 'assistant', content: [use('t1'), use('t2'), use('t3')] },
    { role: 'user', content: [result('t3', '3'), result('t1', '1'), result('t2', '2')] },
  ]
  expect(messagesOf(messages).slice(1)).toEqual([
    { role: 'tool', tool_call_id: 't1', content: '1' },
    { role: 'tool', tool_call_id: 't2', content: '2' },
    { role: 'tool', tool_call_id: 't3', content: '3' },
  ])
})

test.each([{}, MISTRAL])('R5: results spread over consecutive user messages are all kept (%j)', (target) => {
  const messages = [
    { role: 'assistant', content: [use('t1'), use('t2')] },
    { role: 'user', content: [result('t2', '2')] },
    { role: 'user', content: [text('and'), result('t1', '1')] },
  ]
  const after = encode(requestWith({ messages }), target).messages.slice(1)
  expect(after.map(({ role, content }) => [role, content])).toEqual([
    ['tool', '1'],
    ['tool', '2'],
    // Mistral refuses the user directly behind results.
    ...(target === MISTRAL ? [['assistant', 'OK.']] : []),
    ['user', 'and'],
  ])
})

test.each([
  ['mistral', 'mistral-large-latest'],
  ['openrouter', 'mistralai/devstral-medium'],
  ['vllm', 'mistralai/Mistral-Small-3.2'],
  ['generic', 'devstral-small-2'],
] as const)(
  'at %s the assistant speaks between results and the user of %s, who also ends',
  (profile, model) => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('t1')] },
      { role: 'user', content: [result('t1', 'done'), text('Mind.')] },
      { role: 'assistant', content: 'So' },
    ]
    const encoded = encode(requestWith({ messages }), { profile, model })
    const roles = ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user']
    expect(encoded.messages.map(({ role }) => role)).toEqual(roles)
    expect(noted(encoded)).toEqual(
      expect.arrayContaining(['turn_invented messages', 'prefill_closed messages']),
    )
  },
)

test.each([
  ['missing', undefined],
  ['an empty text', ''],
  ['an empty list', []],
  ['an empty block', [text('')]],
])('R8: a result whose content is %s is an empty string, or the profile’s placeholder', (_what, content) => {
  expect(resultOf(content)).toBe('')
  expect(resultOf(content, {}, GENERIC)).toBe('(no output)')
})

test('R9: a result of text blocks is their texts and no JSON', () => {
  expect(resultOf([text('one'), text('two')])).toBe('one\ntwo')
  expect(resultOf([text('{"a":1}')])).toBe('{"a":1}')
})

const WITH_MEDIA = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: [use('t1'), use('t2')] },
  {
    role: 'user',
    content: [result('t1', [text('before'), PNG, text('after')]), result('t2', '2'), text('So?')],
  },
]

test('R10: media in a result leaves a placeholder and follows in the user message after all results', () => {
  const encoded = encode(requestWith({ messages: WITH_MEDIA }))
  expect(encoded.messages.slice(2)).toEqual([
    {
      role: 'tool',
      tool_call_id: 't1',
      content: 'before\nafter\n[1 attachment(s), in the user message that follows the results]',
    },
    { role: 'tool', tool_call_id: 't2', content: '2' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[Attachments of the tool result t1]' },
        PNG_PART,
        { type: 'text', text: 'So?' },
      ],
    },
  ])
  expect(noted(encoded)).toContain('result_media_moved messages[2].content[0]')
})

const IN_PLACE = { profile: { ...profiles.openai, resultMedia: 'in-place' as const } }

test('R10: media stays in its result where the profile allows it', () => {
  const [, , first, second] = messagesOf(WITH_MEDIA, IN_PLACE)
  const content = [{ type: 'text', text: 'before\nafter' }, PNG_PART]
  expect(first).toEqual({ role: 'tool', tool_call_id: 't1', content })
  expect(second).toEqual({ role: 'tool', tool_call_id: 't2', content: '2' })
})

test('R10: a failed result whose media stays in place says that it failed', () => {
  expect(resultOf([text('a blank page'), PNG], { is_error: true }, IN_PLACE)).toEqual([
    { type: 'text', text: 'Error: a blank page' },
    PNG_PART,
  ])
})

test('R10: media that the upstream cannot take is a placeholder in the result', () => {
  const target = { profile: 'deepseek', model: 'deepseek-chat' } as const
  expect(resultOf([PNG], {}, target)).toBe('[image left out: this model takes no images]')
  expect(rolesOf(WITH_MEDIA, target)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
})

test.each([
  ['File not found', 'Error: File not found'],
  ['Errors are fine', 'Error: Errors are fine'],
  ['', 'Error: the tool failed without a message'],
  ['Error: no', 'Error: no'],
  ['ERROR no', 'ERROR no'],
  ['<tool_use_error>no</tool_use_error>', '<tool_use_error>no</tool_use_error>'],
  ['Exit code 3\nno', 'Exit code 3\nno'],
  ['Traceback (most recent call last)', 'Traceback (most recent call last)'],
])('R11: the failed result %j becomes %j', (content, expected) => {
  expect(resultOf(content, { is_error: true })).toBe(expected)
})

test('R11: a result that did not fail is left alone', () => {
  expect(resultOf('File not found', { is_error: false })).toBe('File not found')
})

test('R12: a reference to a tool in a result is a text that names the tool', () => {
  expect(resultOf([{ type: 'tool_reference', tool_name: 'TaskCreate' }])).toBe(
    'Tool TaskCreate is now available.',
  )
})

test('R15: turns that are empty and empty text blocks are skipped', () => {
  const messages = [
    { role: 'user', content: [text(''), text('Hi')] },
    { role: 'assistant', content: [] },
    { role: 'assistant', content: '' },
    { role: 'assistant', content: [text('')] },
    { role: 'user', content: '' },
    { role: 'user', content: 'Well?' },
  ]
  expect(messagesOf(messages)).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Well?' },
  ])
})

test('R15: where the sides must alternate, they still do when a turn between was empty', () => {
  const messages = [
    { role: 'user', content: '' },
    { role: 'assistant', content: 'One.' },
    { role: 'user', content: [text('')] },
    { role: 'assistant', content: [text('Two.'), use('t1')] },
    { role: 'user', content: [result('t1', '1')] },
  ]
  const encoded = encode(requestWith({ messages }), GEMINI)
  expect(encoded.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', '(conversation continues)'],
    ['assistant', 'One.\n\nTwo.'],
    ['tool', '1'],
  ])
  expect(noted(encoded)).toContain('turn_invented messages[1]')
})

test('R15: thinking in a user’s turn is dropped with a note', () => {
  const messages = [
    { role: 'user', content: [text('Hi'), { type: 'thinking', thinking: 'hm', signature: '' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages).toEqual([{ role: 'user', content: 'Hi' }])
  expect(noted(encoded)).toEqual(['block_dropped messages[0].content[1]'])
})

test('H5: consecutive turns of one side stay apart, or become one where the target needs it', () => {
  const messages = [
    { role: 'user', content: 'A' },
    { role: 'user', content: [text('B'), PNG] },
    { role: 'assistant', content: 'C' },
  ]
  expect(rolesOf(messages)).toEqual(['user', 'user', 'assistant'])
  expect(messagesOf(messages, MISTRAL)[0]).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'A' }, { type: 'text', text: 'B' }, PNG_PART],
  })
})

test('H6: a first turn of the assistant is accepted, or gets a minimal user turn before it', () => {
  const messages = [
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: 'Hello' },
  ]
  expect(rolesOf(messages)).toEqual(['assistant', 'user'])
  expect(messagesOf(messages, GEMINI)[0]).toEqual({ role: 'user', content: '(conversation continues)' })
})
