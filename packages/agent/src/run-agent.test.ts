import { expect, test } from 'vitest'
import { answer, call, calls, says, scriptedModel, text, tool } from '../test/scripted-model.ts'
import {
  blocksOf,
  createLoopGuard,
  HubError,
  type HubMessage,
  type HubToolResult,
  stopFor,
  usageOf,
} from '@hydra/core'
import { isLegal } from '../../core/src/history/is-legal.ts'
import type { AgentEvent, AgentOptions, AgentResult, Timer } from './agent.ts'
import { Conversation } from './conversation.ts'
import { runAgent } from './run-agent.ts'
import { trimByTurns } from './trim-strategies.ts'

const NEEDS = { consecutiveTurns: 'keep', firstTurn: 'any' } as const
const GO: HubMessage[] = [{ role: 'user', content: 'Go' }]
const echo = tool('echo', (input) => input)

async function run(options: Partial<AgentOptions> & Pick<AgentOptions, 'send'>): Promise<AgentResult> {
  const result = await runAgent({ messages: GO, tools: [echo], model: 'm', ...options })
  expect(isLegal(result.conversation.messages, NEEDS)).toBe(true)
  return result
}

function results({ conversation }: AgentResult): HubToolResult[] {
  return conversation.messages.flatMap(blocksOf).filter((block) => block.type === 'tool_result')
}

/** A clock that a test moves by hand. */
function handTimer(): { timer: Timer; pass: () => void; pending: () => number } {
  const waiting = new Set<() => void>()
  return {
    timer: (_, callback) => {
      waiting.add(callback)
      return () => waiting.delete(callback)
    },
    pass: () => {
      for (const callback of waiting) callback()
      waiting.clear()
    },
    pending: () => waiting.size,
  }
}

/** A model that makes the same call for ever. */
function looping(): AgentOptions['send'] {
  let count = 0
  return async () => calls(call(`c${(count += 1)}`, 'echo', { same: true }))
}

test('it asks, runs the calls, sends their results and stops when the model does', async () => {
  const model = scriptedModel(calls(text('Look: '), call('a', 'echo', { n: 1 })), says('It is one.'))
  const result = await run({ send: model.send, system: 'Be brief.', request: { temperature: 0 } })
  expect(result).toMatchObject({ outcome: 'done', stopReason: 'end_turn', text: 'It is one.', iterations: 2 })
  expect(result.usage).toMatchObject({ input_tokens: 20, output_tokens: 10 })
  expect(result.notes).toEqual([])
  expect(model.requests[1]).toEqual({
    max_tokens: 8192,
    temperature: 0,
    model: 'm',
    system: 'Be brief.',
    stream: true,
    tools: [{ name: 'echo', input_schema: { type: 'object' } }],
    messages: [
      ...GO,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Look: ' },
          { type: 'tool_use', id: 'a', name: 'echo', input: { n: 1 } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '{"n":1}' }] },
    ],
  })
})

test('all calls of a turn run at the same time, and their results stand in the order of the calls', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const tools = [tool('waits', () => promise), tool('frees', () => resolve('freed'))]
  const send = scriptedModel(calls(call('a', 'waits'), call('b', 'frees'))).send
  expect(results(await run({ send, tools }))).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: 'freed' },
    { type: 'tool_result', tool_use_id: 'b', content: '' },
  ])
})

test('a tool that fails gives an error result, whatever it throws, and the others are not touched', async () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const tools = [
    echo,
    tool('throws', () => {
      throw new Error('disk full')
    }),
    tool('rejects', () => Promise.reject(new Error(''))),
    tool('circles', () => circle),
  ]
  const made = ['throws', 'rejects', 'circles', 'echo'].map((name) => call(name, name))
  const result = await run({ send: scriptedModel(calls(...made)).send, tools })
  expect(result.outcome).toBe('done')
  expect(results(result)).toMatchObject([
    { is_error: true, content: 'throws failed: disk full' },
    { is_error: true, content: 'rejects failed: it gave no reason' },
    { is_error: true, content: expect.stringContaining('circles failed: Converting circular') as string },
    { content: '{}' },
  ])
  expect(results(result).at(-1)).not.toHaveProperty('is_error')
})

test('a tool that nobody knows and an input that is no object are told to the model', async () => {
  const { send } = scriptedModel(async (_, { sink }) => {
    sink.blockStart({ type: 'tool_use', id: 'a', name: 'ecko' })
    sink.blockStop()
    for (const [index, json] of ['[1]', 'null', '{"cut'].entries()) {
      sink.blockStart({ type: 'tool_use', id: `b${index}`, name: 'echo' })
      sink.inputJson(json)
      sink.blockStop()
    }
    sink.messageStop(stopFor('tool_use'), usageOf({}))
  })
  const [unknown, ...illegal] = results(await run({ send }))
  expect(unknown).toMatchObject({ is_error: true, content: 'There is no tool "ecko". There are: echo.' })
  expect(illegal).toHaveLength(3)
  for (const result of illegal) {
    expect(result).toMatchObject({
      is_error: true,
      content: expect.stringContaining('a JSON object') as string,
    })
  }
})

test('a tool that takes too long is stopped and heard no more, each by its own limit', async () => {
  const clock = handTimer()
  const limits: number[] = []
  const timer: Timer = (milliseconds, callback) => {
    limits.push(milliseconds)
    return clock.timer(milliseconds, callback)
  }
  let reason: unknown
  const hangs = tool(
    'hangs',
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(new Error('a late word'))
        })
        setTimeout(clock.pass)
      }),
    { timeout: 5 },
  )
  const send = scriptedModel(calls(call('a', 'hangs'), call('b', 'echo'))).send
  const result = await run({ send, tools: [hangs, echo], timer, toolTimeout: 70 })
  expect(results(result)).toMatchObject([
    { is_error: true, content: 'hangs was stopped: it took longer than 5 ms.' },
    { content: '{}' },
  ])
  expect(limits).toEqual([5, 70])
  expect(reason).toMatchObject({ message: 'hangs was stopped: it took longer than 5 ms.' })
  expect(clock.pending()).toBe(0)
})

test('options that contradict each other are refused before anybody is asked', async () => {
  const { send } = scriptedModel()
  await expect(run({ send, toolTimeout: 5 })).rejects.toThrow('time limit of echo cannot be measured')
  await expect(run({ send, tools: [echo, echo] })).rejects.toThrow('two tools with the name echo')
  await expect(run({ send, system: 'S', messages: new Conversation() })).rejects.toThrow(
    'its own system prompt',
  )
  await expect(run({ send, maxIterations: 0 })).rejects.toThrow('expected a whole number from 1 on, got 0')
})

test('an abort while tools run keeps what is finished and says of the rest that it is not', async () => {
  const abort = new AbortController()
  let heard = false
  const hangs = tool('hangs', (_, { signal }) => {
    signal.addEventListener('abort', () => (heard = true))
    setTimeout(() => abort.abort())
    return new Promise(() => {})
  })
  const send = scriptedModel(calls(call('a', 'echo'), call('b', 'hangs'))).send
  const result = await run({ send, tools: [echo, hangs], signal: abort.signal })
  expect(result).toMatchObject({ outcome: 'aborted', iterations: 1 })
  expect(results(result)).toMatchObject([
    { content: '{}' },
    { is_error: true, content: 'hangs was stopped before it was finished: the run was aborted.' },
  ])
  expect(heard).toBe(true)
})

test('an abort in the middle of an answer keeps the words, and says that they were cut', async () => {
  const abort = new AbortController()
  const { send } = scriptedModel((_, { sink }) => {
    sink.blockStart({ type: 'text' })
    sink.text('Half a sen')
    abort.abort()
    // A sender that does not listen to the signal.
    return new Promise(() => {})
  })
  const result = await run({ send, signal: abort.signal })
  expect(result.outcome).toBe('aborted')
  expect(JSON.stringify(result.conversation.messages)).toContain('[The answer was stopped here.]')
  expect(result.notes).toMatchObject([{ code: 'usage_unknown' }])
})

test('a run whose signal is aborted already asks nobody', async () => {
  const model = scriptedModel()
  const result = await run({ send: model.send, signal: AbortSignal.abort() })
  expect(result).toMatchObject({ outcome: 'aborted', iterations: 0 })
  expect(model.requests).toEqual([])
})

test('a failure ends the run with its error, in the middle of an answer, before it, or without an end', async () => {
  const middle = scriptedModel(calls(call('a', 'echo')), async (_, { sink }) => {
    sink.blockStart({ type: 'tool_use', id: 'b', name: 'echo' })
    sink.error(new HubError('overloaded_error', 'too busy'))
  })
  const result = await run({ send: middle.send })
  expect(result).toMatchObject({ outcome: 'failed', error: { kind: 'overloaded_error' }, iterations: 2 })
  expect(results(result)[1]).toMatchObject({
    content: expect.stringContaining('cut off before its input was complete') as string,
    is_error: true,
  })
  const before = await run({ send: () => Promise.reject(new Error('refused')) })
  expect(before).toMatchObject({ outcome: 'failed', error: { message: 'refused' } })
  expect(before.conversation.messages).toEqual(GO)
  const silent = await run({ send: async () => {} })
  expect(silent).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringContaining('nobody said its end') as string },
  })
})

test('the limit of turns is an outcome of its own, 25 by default, and the history can go on from there', async () => {
  let count = 0
  const send: AgentOptions['send'] = async () => calls(call(`c${(count += 1)}`, 'echo', { count }))
  expect(await run({ send })).toMatchObject({ outcome: 'limit', maxIterations: 25, iterations: 25 })
  const { conversation } = await run({ send, maxIterations: 2 })
  conversation.add({ role: 'user', content: 'Go on' })
  const more = await run({ send: scriptedModel().send, messages: conversation })
  expect(more).toMatchObject({ outcome: 'done', text: 'Done.' })
  expect(more.conversation).toBe(conversation)
  expect(conversation.nextIteration).toBe('iteration_4')
})

test('an answer that was cut is not taken for a whole one, and a call at its end is not run', async () => {
  expect(await run({ send: scriptedModel(answer([text('Half')], 'max_tokens')).send })).toMatchObject({
    outcome: 'cut',
    stopReason: 'max_tokens',
  })
  const cut = await run({
    send: scriptedModel(answer([call('a', 'echo', { n: 1 }), call('b', 'echo')], 'max_tokens')).send,
  })
  expect(results(cut)).toMatchObject([
    { content: '{"n":1}' },
    { is_error: true, content: expect.stringContaining('its input may not be whole') as string },
  ])
  const refused = await run({ send: scriptedModel(answer([call('a', 'echo')], 'refusal')).send })
  expect(refused).toMatchObject({ outcome: 'cut', stopReason: 'refusal' })
  expect(results(refused)).toMatchObject([{ is_error: true, content: 'This call was not run.' }])
})

test('a server that pauses is asked to go on', async () => {
  const model = scriptedModel(answer([text('Searching.')], 'pause_turn'), says('Found.'))
  expect(await run({ send: model.send })).toMatchObject({ outcome: 'done', text: 'Found.', iterations: 2 })
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant' })
})

test('an id that comes again gets another one, the same in events, history, results and export', async () => {
  const told: string[] = []
  const onEvent = (event: AgentEvent): void => {
    if (event.type !== 'part' || event.event.part.type !== 'tool_call') return
    if (event.event.type === 'result') told.push(event.event.part.id)
  }
  const send = scriptedModel(calls(call('call_0', 'echo')), calls(call('call_0', 'echo'))).send
  const result = await run({ send, onEvent })
  expect(told).toEqual(['call_0', 'call_0_2'])
  expect(results(result).map(({ tool_use_id: id }) => id)).toEqual(told)
  const exported = result.conversation.toOpenAI().messages
  expect(exported.flatMap((message) => (message.role === 'tool' ? message.tool_call_id : []))).toEqual(told)
  expect(result.notes).toMatchObject([{ code: 'call_id_distinct', path: 'iteration_2.content[0].id' }])
})

test('events tell the iterations in order; a listener that fails does not disturb the run', async () => {
  const heard: string[] = []
  const onEvent = (event: AgentEvent): void => {
    heard.push(
      event.type === 'part' ? `${event.iteration} ${event.event.type}` : `${event.iteration} ${event.type}`,
    )
    throw new Error('a bug in the window')
  }
  const result = await run({ send: scriptedModel(calls(call('a', 'echo'))).send, onEvent })
  expect(result.outcome).toBe('done')
  expect(heard).toEqual([
    'iteration_1 iteration',
    'iteration_1 started',
    'iteration_1 delta',
    'iteration_1 completed',
    'iteration_1 result',
    'iteration_1 stored',
    'iteration_2 iteration',
    'iteration_2 started',
    'iteration_2 delta',
    'iteration_2 completed',
    'iteration_2 stored',
  ])
  expect(result.notes).toMatchObject([{ code: 'listener_failed', message: 'a bug in the window' }])
})

test('a loop is stopped with words that name the call, told to the model, or only noted', async () => {
  const stopped = await run({ send: looping(), guard: createLoopGuard({ mode: 'stop', repeats: 3 }) })
  expect(stopped).toMatchObject({
    outcome: 'loop',
    trip: { tool: 'echo', message: expect.stringContaining('echo') as string },
  })
  expect(stopped.iterations).toBeLessThan(25)
  const guard = createLoopGuard({ mode: 'notify', repeats: 3 })
  const told = await run({ send: looping(), guard, maxIterations: 4 })
  expect(told.outcome).toBe('limit')
  expect(JSON.stringify(told.conversation.messages)).toContain('You seem to be in a loop')
  const warned = await run({
    send: looping(),
    guard: createLoopGuard({ mode: 'warn', repeats: 3 }),
    maxIterations: 4,
  })
  expect(warned.notes.map(({ code }) => code)).toContain('loop')
  expect(JSON.stringify(warned.conversation.messages)).not.toContain('in a loop')
})

test('trimming changes what is sent and not what is kept, and a strategy that breaks a history fails the run', async () => {
  const messages: HubMessage[] = [
    { role: 'user', content: 'Old' },
    { role: 'assistant', content: 'Yes.' },
    ...GO,
  ]
  const model = scriptedModel(says('Hi'))
  const events: AgentEvent[] = []
  const result = await run({
    send: model.send,
    messages,
    trim: trimByTurns(1),
    onEvent: (event) => events.push(event),
  })
  expect(model.requests[0]?.messages).toEqual(GO)
  expect(result.conversation.messages.slice(0, 3)).toEqual(messages)
  expect(result.notes.map(({ path }) => path)).toEqual(['iteration_1.messages[0]', 'iteration_1.messages[1]'])
  expect(events.map(({ type }) => type)).toContain('trimmed')
  const broken = await run({ send: scriptedModel().send, trim: () => [] })
  expect(broken).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringContaining('trimming') as string },
  })
})

test('a history that comes broken is repaired before it is sent', async () => {
  const model = scriptedModel()
  const dangling: HubMessage[] = [
    ...GO,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'echo', input: {} }] },
  ]
  const { conversation } = await run({ send: model.send, messages: new Conversation({ messages: dangling }) })
  expect(conversation.notes).toMatchObject([{ code: 'result_invented' }])
  expect(isLegal(model.requests[0]?.messages ?? [], NEEDS)).toBe(true)
})
