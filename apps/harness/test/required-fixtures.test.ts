import { isJsonObject } from '@hydra/core'
import { fileURLToPath } from 'node:url'
import { readTape, type Tape, type TapedAnswer } from '@hydra/tape'
import { expect, test } from 'vitest'

/** What a tape shows, as facts that can be counted. */
interface Shown {
  readonly tape: Tape
  /** The blocks of all requests' last messages, those inside of results too. */
  readonly asked: readonly Block[]
  /** The kinds of the blocks that each answer begins, in its order. */
  readonly answered: readonly (readonly string[])[]
}

type Block = Readonly<Record<string, unknown>>

function shownBy(name: string): Shown {
  const tape = readTape(fileURLToPath(new URL(`../../../fixtures/tapes/${name}`, import.meta.url)))
  return {
    tape,
    asked: tape.exchanges.flatMap(({ request }) => lastBlocks(request?.body)),
    answered: tape.exchanges.map(({ answer }) => blockKinds(answer)),
  }
}

function lastBlocks(body: Uint8Array = new Uint8Array()): Block[] {
  const { messages } = JSON.parse(Buffer.from(body).toString()) as { readonly messages: readonly Block[] }
  return blocksIn(messages.findLast(({ role }) => role === 'user')?.['content'])
}

function blocksIn(content: unknown): Block[] {
  if (!Array.isArray(content)) return []
  return content.filter(isJsonObject).flatMap((block) => [block].concat(blocksIn(block['content'])))
}

function blockKinds({ chunks }: TapedAnswer): string[] {
  const text = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString()
  return [...text.matchAll(/"content_block":\{"type":"(\w+)"/g)].map(([, kind = '']) => kind)
}

function countOf(kinds: readonly string[], kind: string): number {
  return kinds.filter((known) => known === kind).length
}

function resultsIn({ asked }: Shown): readonly Block[] {
  return asked.filter(({ type }) => type === 'tool_result')
}

function outcomesOf({ tape }: Shown): readonly unknown[] {
  return tape.exchanges.map(({ end }) => end?.outcome)
}

/** The sessions that have to be among the fixtures, each with what it has to show. */
const REQUIRED: Readonly<Record<string, readonly [name: string, shows: (shown: Shown) => void]>> = {
  text: ['claude-code-text', ({ answered }) => expect(answered.flat()).toEqual(['text'])],
  'one tool': [
    'claude-code-one-tool',
    (shown) => {
      expect(countOf(shown.answered.flat(), 'tool_use')).toBe(1)
      expect(resultsIn(shown).map(({ is_error: isError }) => isError === true)).toEqual([false])
    },
  ],
  'parallel tools': [
    'claude-code-parallel-tools',
    (shown) => {
      expect(Math.max(...shown.answered.map((kinds) => countOf(kinds, 'tool_use')))).toBeGreaterThan(1)
      expect(resultsIn(shown).length).toBeGreaterThan(1)
    },
  ],
  'a failing tool': [
    'claude-code-failing-tool',
    (shown) => expect(resultsIn(shown).some(({ is_error: isError }) => isError === true)).toBe(true),
  ],
  thinking: ['claude-code-thinking', ({ answered }) => expect(answered.flat()).toContain('thinking')],
  'an image': ['claude-code-image', ({ asked }) => expect(asked.map(({ type }) => type)).toContain('image')],
  'an interrupted stream': [
    'claude-code-interrupted-stream',
    ({ tape }) => {
      const ends = tape.exchanges.flatMap(({ calls }) => calls.map(({ answer }) => answer))
      expect(
        ends.some(({ status, ended, chunks }) => status === 200 && ended !== 'clean' && chunks.length > 0),
      ).toBe(true)
    },
  ],
  'an upstream error': [
    'claude-code-upstream-error',
    (shown) => {
      const statuses = shown.tape.exchanges.map(({ calls }) => calls.at(-1)?.answer.status ?? 0)
      expect(Math.min(...statuses)).toBeGreaterThanOrEqual(400)
      expect(outcomesOf(shown)).toContain('failed')
    },
  ],
  'a retry': [
    'claude-code-retry',
    (shown) => {
      const statuses = shown.tape.exchanges.flatMap(({ calls }) => calls.map(({ answer }) => answer.status))
      expect(statuses.slice(0, -1).some((status = 0) => status >= 400)).toBe(true)
      expect(statuses.at(-1)).toBe(200)
      expect(outcomesOf(shown).at(-1)).toBe('answered')
    },
  ],
  'an agent loop of 30 turns': [
    'claude-code-thirty-turns',
    ({ answered }) => {
      const turns = answered.filter((kinds) => kinds.includes('tool_use'))
      expect(turns.length).toBeGreaterThanOrEqual(30)
      expect(answered.at(-1)).not.toContain('tool_use')
    },
  ],
  'a mixed team': [
    'claude-code-mixed-team',
    ({ tape }) => {
      const vias = tape.exchanges.flatMap(({ calls }) => calls.map(({ via }) => via))
      expect(vias.some((via) => via?.passthrough === true)).toBe(true)
      expect(vias.some((via) => via?.dialect === 'openai-chat')).toBe(true)
    },
  ],
  'a client abort': [
    'sdk-client-abort',
    (shown) => {
      const moments = shown.tape.exchanges.flatMap(({ moments: all }) => all.map(({ event }) => event))
      expect(moments.some((event) => event[4] === 'abort' && event[5].by === 'client')).toBe(true)
      expect(outcomesOf(shown)).toContain('aborted')
    },
  ],
}

test.for(Object.entries(REQUIRED))('%s: a tape shows it', ([, [name, shows]]) => shows(shownBy(name)))

const OTHERS = Object.entries(REQUIRED).filter(([what]) => what !== 'text')

test.for(OTHERS)('%s: a tape of plain text does not show it', ([, [, shows]]) => {
  expect(() => shows(shownBy('claude-code-text'))).toThrow()
})
