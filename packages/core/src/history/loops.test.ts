import { expect, test } from 'vitest'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { loops } from './loops.ts'

interface Step {
  readonly tool?: string
  readonly input?: unknown
  readonly output?: string
  readonly failed?: boolean
}

const user = (...content: HubBlock[]): HubMessage => ({ role: 'user', content })
const text = (words: string): HubBlock => ({ type: 'text', text: words })
const opening = user(text('do it'))

/** One round: an assistant turn with its calls in parallel, and the user turn with their results. */
function round(...steps: Step[]): [HubMessage, HubMessage] {
  const calls = steps.map(({ tool = 'Bash', input = {} }, index): HubBlock => ({
    type: 'tool_use',
    id: `c${index}`,
    name: tool,
    input,
  }))
  const results = steps.map(({ output = '', failed = false }, index): HubBlock => ({
    type: 'tool_result',
    tool_use_id: `c${index}`,
    content: output,
    is_error: failed,
  }))
  return [{ role: 'assistant', content: calls }, user(...results)]
}

function rounds(count: number, step: (index: number) => Step): HubMessage[] {
  return Array.from({ length: count }, (_, index) => round(step(index))).flat()
}

test('the same call with the same result four times is a loop', () => {
  const inputs = [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ]
  const messages = [opening, ...rounds(4, (index) => ({ input: inputs[index % 2], output: 'x' }))]
  expect(loops(messages)).toEqual([
    {
      kind: 'same_call',
      tools: ['Bash'],
      count: 4,
      firstMessageIndex: 1,
      lastMessageIndex: 7,
      message: 'Bash was called 4 times with the same input and brought nothing new',
    },
  ])
})

test('three times are no loop yet, unless the options say so', () => {
  const messages = [opening, ...rounds(3, () => ({ output: 'x' }))]
  expect(loops(messages)).toEqual([])
  expect(loops(messages, { sameCall: 3 })).toMatchObject([{ kind: 'same_call', count: 3 }])
})

test('a repeated call that fails each time is a loop whatever the errors say', () => {
  const messages = [opening, ...rounds(4, (index) => ({ output: `at ${index}`, failed: true }))]
  expect(loops(messages)).toMatchObject([{ kind: 'same_call', count: 4 }])
})

test('a repeated call that is never answered is a loop', () => {
  const [asked] = round({})
  expect(loops([opening, ...Array.from({ length: 4 }, () => asked)])).toMatchObject([{ count: 4 }])
})

test('a repeated call whose results differ makes progress', () => {
  expect(loops([opening, ...rounds(12, (index) => ({ output: `line ${index}` }))])).toEqual([])
})

test('progress begins the count anew', () => {
  const outputs = ['a', 'a', 'a', 'b', 'b', 'b', 'b']
  const messages = [opening, ...outputs.flatMap((output) => round({ output }))]
  expect(loops(messages)).toMatchObject([{ count: 4, firstMessageIndex: 7, lastMessageIndex: 13 }])
})

test('a test run again after edits is no loop though it still fails', () => {
  const messages = Array.from({ length: 6 }, (_, index) => [
    ...round({ tool: 'Edit', input: { index }, output: 'edited' }),
    ...round({ input: { command: 'pnpm test' }, output: '1 failed', failed: true }),
  ]).flat()
  expect(loops([opening, ...messages])).toEqual([])
})

test('the same tool with other inputs that all bring nothing new is a loop', () => {
  const messages = [
    opening,
    ...rounds(15, (index) => ({ tool: 'Grep', input: { index }, output: 'No matches' })),
  ]
  expect(loops(messages)).toEqual([
    {
      kind: 'same_tool',
      tools: ['Grep'],
      count: 15,
      firstMessageIndex: 1,
      lastMessageIndex: 29,
      message: 'Grep was called 15 times with other inputs and brought nothing new',
    },
  ])
  expect(loops(messages.slice(0, -2))).toEqual([])
})

test('the same tool with distinct results is progress until the count is very high', () => {
  const reads = [
    opening,
    ...rounds(80, (index) => ({ tool: 'Read', input: { index }, output: `file ${index}` })),
  ]
  expect(loops(reads.slice(0, -2))).toEqual([])
  expect(loops(reads)).toMatchObject([
    { kind: 'same_tool', count: 80, message: 'Read was called 80 times with other inputs' },
  ])
})

test('a very long run without news is reported once', () => {
  const messages = rounds(100, (index) => ({ tool: 'Grep', input: { index }, output: 'No matches' }))
  expect(loops([opening, ...messages])).toMatchObject([{ kind: 'same_tool', count: 100 }])
})

test('two calls in turn that bring nothing new are an alternation', () => {
  const messages = rounds(6, (index) => ({
    tool: index % 2 ? 'Edit' : 'Read',
    failed: index % 2 === 1,
    output: 'x',
  }))
  expect(loops([opening, ...messages])).toEqual([
    {
      kind: 'alternation',
      tools: ['Read', 'Edit'],
      count: 3,
      firstMessageIndex: 1,
      lastMessageIndex: 11,
      message: 'Read, Edit were called 3 times in turn with the same inputs and brought nothing new',
    },
  ])
  expect(loops([opening, ...messages.slice(0, -2)])).toEqual([])
})

test('two calls in turn whose results change are none', () => {
  const messages = rounds(12, (index) => ({ tool: index % 2 ? 'Edit' : 'Read', output: `version ${index}` }))
  expect(loops([opening, ...messages])).toEqual([])
})

test('the git diff, status and log of a model that never sees its results is an alternation of three', () => {
  const again = round(
    { input: { command: 'git diff' }, output: 'd' },
    { input: { command: 'git status' }, output: 's' },
    { input: { command: 'git log' }, output: 'l' },
  )
  expect(loops([opening, ...again, ...again, ...again])).toMatchObject([
    {
      kind: 'alternation',
      tools: ['Bash', 'Bash', 'Bash'],
      count: 3,
      firstMessageIndex: 1,
      lastMessageIndex: 5,
    },
  ])
  expect(loops([opening, ...again, ...again, ...again], { longestRound: 2 })).toEqual([])
})

test('an alternation of two is not reported as one of four', () => {
  const messages = rounds(24, (index) => ({ tool: index % 2 ? 'Edit' : 'Read', output: 'x' }))
  expect(loops([opening, ...messages])).toMatchObject([
    { kind: 'alternation', tools: ['Read', 'Edit'], count: 12 },
  ])
})

test('parallel calls of one turn count one by one', () => {
  const same = { output: 'x' }
  expect(loops([opening, ...round(same, same), ...round(same, same)])).toMatchObject([
    { kind: 'same_call', count: 4 },
  ])
})

test('words of the user break the chain', () => {
  const twice = rounds(2, () => ({ output: 'x' }))
  expect(loops([opening, ...twice, user(text('again please')), ...twice])).toEqual([])
  expect(loops([opening, ...twice, { role: 'user', content: 'again please' }, ...twice])).toEqual([])
})

test('words beside the results break the chain too', () => {
  const [asked, answered] = round({ output: 'x' })
  const spoken = user(...blocksOf(answered), text('hm'))
  const messages = [asked, answered, asked, spoken, asked, answered, asked, answered]
  expect(loops([opening, ...messages])).toEqual([])
})

test('reminders, system messages and empty user turns do not break the chain', () => {
  const twice = rounds(2, () => ({ output: 'x' }))
  const between: HubMessage[] = [
    user(text('<system-reminder>todo</system-reminder>')),
    { role: 'system', content: 'news' },
    { role: 'user', content: '' },
  ]
  expect(loops([opening, ...twice, ...between, ...twice])).toMatchObject([{ kind: 'same_call', count: 4 }])
})

test('polling tools have a higher threshold, also within an alternation', () => {
  const polls = (count: number, tool: string): HubMessage[] => [
    opening,
    ...rounds(count, () => ({ tool, output: 'x' })),
  ]
  for (const tool of [
    'BashOutput',
    'TaskOutput',
    'KillShell',
    'get_job_status',
    'wait_for',
    'Sleep',
    'pollQueue',
  ]) {
    expect(loops(polls(39, tool))).toEqual([])
    expect(loops(polls(40, tool))).toMatchObject([{ kind: 'same_call', tools: [tool], count: 40 }])
  }
  const inTurn = rounds(20, (index) => ({ tool: index % 2 ? 'Sleep' : 'Bash', output: 'x' }))
  expect(loops([opening, ...inTurn])).toEqual([])
})

test('which tools poll is the caller’s choice', () => {
  const messages = [opening, ...rounds(5, () => ({ tool: 'Tail', output: 'x' }))]
  expect(loops(messages)).toHaveLength(1)
  expect(loops(messages, { pollingTools: [/^Tail$/] })).toEqual([])
  expect(loops(messages, { pollingTools: [/^Tail$/], polling: 5 })).toMatchObject([{ count: 5 }])
})

test('a result as blocks equals the same text, wherever its cache mark is', () => {
  const [asked] = round({})
  const answers: HubBlock[] = [
    { type: 'tool_result', tool_use_id: 'c0', content: 'x' },
    { type: 'tool_result', tool_use_id: 'c0', content: [{ type: 'text', text: 'x' }] },
    {
      type: 'tool_result',
      tool_use_id: 'c0',
      content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    },
    { type: 'tool_result', tool_use_id: 'c0', content: 'x', cache_control: { type: 'ephemeral' } },
  ]
  const messages = answers.flatMap((answer) => [asked, user(answer)])
  expect(loops([opening, ...messages])).toMatchObject([{ kind: 'same_call', count: 4 }])
})

test('a history without calls has no loops', () => {
  expect(loops([])).toEqual([])
  expect(loops([opening, { role: 'assistant', content: 'done' }])).toEqual([])
})
