import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent, AgentTool, SendTurn } from '../src/agent.ts'
import { Conversation } from '../src/conversation.ts'
import type { Layout } from '../src/layouts.ts'
import { runAgent } from '../src/run-agent.ts'
import { blocksOf, HubError, type HubMessage, type MessageSink, stopFor, usageOf } from '@hydra/core'
import { isLegal } from '../../core/src/history/is-legal.ts'
import { tool } from './scripted-model.ts'

// Random runs of an agent: whatever tools and models do, the history stays legal and nothing gets lost.

const NEEDS = { consecutiveTurns: 'keep', firstTurn: 'any' } as const
const LAYOUTS: readonly Layout[] = ['merged', 'parts', 'grouped']

type Step =
  | { readonly type: 'text' | 'thinking'; readonly words: string; readonly signed: boolean }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly json: string }

interface Answer {
  readonly steps: readonly Step[]
  readonly end: 'stop' | 'max_tokens' | 'error' | 'reject' | 'abort' | 'silence'
}

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constantFrom('text' as const, 'text' as const, 'thinking' as const),
    words: fc.string({ unit: 'binary', maxLength: 6 }),
    signed: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('call' as const),
    id: fc.constantFrom('a', 'b', 'call_0', 'functions.Read:0', 'hyd1_Y2FsbF8w', ''),
    name: fc.constantFrom('fine', 'object', 'throws', 'slow', 'hangs', 'aborts', 'unknown'),
    json: fc.oneof(
      fc.constantFrom('', '{}', '[]', '{"cut', '{ "spaced" : 1 }'),
      fc
        .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
        .map((value) => JSON.stringify(value)),
    ),
  }),
)

const answer: fc.Arbitrary<Answer> = fc.record({
  steps: fc.array(anyStep, { maxLength: 5 }),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('stop' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Answer['end']>('max_tokens', 'error', 'reject', 'abort', 'silence'),
    },
  ),
})

function tell({ steps, end }: Answer, abort: AbortController): SendTurn {
  return async (_, { sink }) => {
    sink.messageStart({ id: 'msg', model: 'm', usage: usageOf({}) })
    for (const [index, one] of steps.entries()) {
      begin(one, sink)
      const isCut = index === steps.length - 1 && end !== 'stop' && end !== 'max_tokens'
      if (!isCut) sink.blockStop()
    }
    if (end === 'error') sink.error(new HubError('overloaded_error', 'busy'))
    if (end === 'reject') throw new Error('reset')
    if (end === 'abort') {
      abort.abort()
      return new Promise(() => {})
    }
    const hasCalls = steps.some(({ type }) => type === 'call')
    if (end === 'stop') sink.messageStop(stopFor(hasCalls ? 'tool_use' : 'end_turn'), usageOf({}))
    if (end === 'max_tokens') sink.messageStop(stopFor('max_tokens'), usageOf({}))
    return undefined
  }
}

function begin(step: Step, sink: MessageSink): void {
  if (step.type === 'call') {
    sink.blockStart({ type: 'tool_use', id: step.id, name: step.name })
    for (const piece of step.json.match(/.{1,3}/gs) ?? []) sink.inputJson(piece)
    return
  }
  sink.blockStart({ type: step.type })
  if (step.type === 'text') sink.text(step.words)
  else sink.thinking(step.words)
  if (step.type === 'thinking' && step.signed) sink.signature('signed')
}

function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function toolsFor(abort: AbortController): AgentTool[] {
  return [
    tool('fine', () => 'fine'),
    tool('object', (input) => ({ input })),
    tool('throws', () => {
      throw new Error('broken')
    }),
    tool('slow', async () => {
      await soon()
      return 'slow'
    }),
    tool('hangs', () => new Promise(() => {}), { timeout: 1 }),
    tool('aborts', async () => {
      abort.abort()
      await soon()
      return 'too late'
    }),
  ]
}

function callIds(messages: readonly HubMessage[]): string[] {
  return messages.flatMap(blocksOf).flatMap((block) => (block.type === 'tool_use' ? block.id : []))
}

function resultIds(messages: readonly HubMessage[]): string[] {
  return messages
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []))
}

test('random runs: legal after every iteration, ids the same everywhere, export and import the identity', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
      const abort = new AbortController()
      const conversation = new Conversation({ system: 'S', messages: [{ role: 'user', content: 'Go' }] })
      const told: string[] = []
      const answered: string[] = []
      let before: readonly HubMessage[] = conversation.messages
      const onEvent = (event: AgentEvent): void => {
        if (event.type === 'part' && event.event.part.type === 'tool_call') {
          if (event.event.type === 'started') told.push(event.event.part.id)
          if (event.event.type === 'result') answered.push(event.event.part.id)
        }
        if (event.type !== 'stored') return
        const { messages } = conversation
        expect(isLegal(messages, NEEDS)).toBe(true)
        expect(messages.slice(0, before.length)).toEqual(before)
        before = messages
      }
      let count = 0
      const result = await runAgent({
        messages: conversation,
        tools: toolsFor(abort),
        model: 'm',
        maxIterations: 5,
        signal: abort.signal,
        timer: (_, callback) => {
          const running = setImmediate(callback)
          return () => clearImmediate(running)
        },
        onEvent,
        send: async (request, turn) => {
          expect(isLegal(request.messages, NEEDS)).toBe(true)
          const next = answers[count]
          count += 1
          return next === undefined ? undefined : tell(next, abort)(request, turn)
        },
      })
      // A check inside a listener that fails is noted and must not be overheard.
      expect(result.notes.filter(({ code }) => code === 'listener_failed')).toEqual([])
      const { messages } = conversation
      expect(callIds(messages)).toEqual(told)
      expect(resultIds(messages)).toEqual(told)
      expect(told).toEqual(expect.arrayContaining(answered))
      for (const layout of LAYOUTS) {
        const exported = JSON.parse(JSON.stringify(conversation.toOpenAI(layout))) as ReturnType<
          Conversation['toOpenAI']
        >
        const again = Conversation.fromOpenAI(exported)
        expect(JSON.stringify(again.messages)).toBe(JSON.stringify(messages))
        expect(again.toOpenAI(layout)).toEqual(conversation.toOpenAI(layout))
        const exportedIds = exported.messages.flatMap((message) =>
          message.role === 'tool' ? message.tool_call_id : [],
        )
        expect(exportedIds).toEqual(told)
      }
    }),
    { numRuns: 150 },
  )
})
