import { expect, test } from 'vitest'
import type { TapedAnswer, TapedCall, TapedExchange, TapedRequest } from '../format/tape.ts'
import { type PlayedLeg, recordingsOf } from './recording.ts'

type Ended = TapedAnswer['ended']
type By = 'client' | 'upstream' | 'proxy'

function requestAt(at: number): TapedRequest {
  return { method: 'POST', path: '/', headers: {}, body: Buffer.from(''), at }
}

function answer(ended: Ended, status: number | undefined = 200): TapedAnswer {
  return { status, headers: {}, at: 1, chunks: [], ended }
}

function call(at: number, ended: Ended, status?: number): TapedCall {
  return { request: requestAt(at), via: undefined, answer: answer(ended, status) }
}

function exchange(
  changes: Partial<TapedExchange>,
  ...aborts: readonly (readonly [number, By])[]
): TapedExchange {
  return {
    number: 4,
    request: requestAt(0),
    calls: [],
    answer: answer('clean'),
    notes: [],
    usage: undefined,
    moments: aborts.map(([at, by]) => ({ at, leg: '', line: 1, event: [1, 0, 4, '', 'abort', { by }] })),
    end: { outcome: 'failed', hashes: {} },
    ...changes,
  }
}

function endings(leg: PlayedLeg, taped: TapedExchange): string[] {
  const header = { tape: 1, tool: 't', started: '', redaction: '' } as const
  return recordingsOf({ folder: '', header, exchanges: [taped], problems: [] }, leg).map(
    ({ ending }) => ending,
  )
}

test('each call of an exchange ends as it did, also when another one followed', () => {
  const calls = [call(1, 'aborted'), call(20, 'timeout'), call(30, 'clean', 500), call(40, 'aborted')]
  const taped = exchange({ calls }, [10, 'upstream'], [50, 'client'])
  expect(endings('upstream', taped)).toEqual(['reset', 'silence', 'clean', 'silence'])
})

/** A chat whose client left behind these pieces. */
function left(...pieces: readonly string[]): TapedExchange {
  const request = { ...requestAt(0), path: '/v1/chat/completions' }
  const said = { ...answer('aborted'), chunks: pieces.map((text) => ({ at: 1, bytes: Buffer.from(text) })) }
  const calls = [{ request, via: undefined, answer: said }]
  const end = { outcome: 'aborted', hashes: {} } as const
  return exchange({ request, answer: said, calls, end }, [9, 'client'])
}

test('an answer that was finished when its client left ends cleanly, and one that was not stays open', () => {
  const words = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`
  const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
  for (const leg of ['proxy', 'upstream'] as const) {
    expect(endings(leg, left(words, last, 'data: [DONE]\n\n'))).toEqual(['clean'])
    expect(endings(leg, left(words))).toEqual(['silence'])
  }
})

test.each<[string, PlayedLeg, TapedExchange, string]>([
  [
    'a recording that was interrupted',
    'upstream',
    exchange({ calls: [call(1, 'open')], end: undefined }),
    'reset',
  ],
  ['a failure without a known end', 'upstream', exchange({ calls: [call(1, 'open')] }), 'reset'],
  ['a proxy that gave up', 'upstream', exchange({ calls: [call(1, 'aborted')] }, [2, 'proxy']), 'silence'],
  [
    'a client that left its proxy',
    'proxy',
    exchange({ answer: answer('aborted') }, [2, 'client']),
    'silence',
  ],
  ['a proxy that broke off', 'proxy', exchange({ answer: answer('aborted') }, [2, 'proxy']), 'reset'],
  ['a proxy whose upstream timed out', 'proxy', exchange({ answer: answer('timeout') }), 'reset'],
  ['a proxy that was killed', 'proxy', exchange({ answer: answer('open'), end: undefined }), 'reset'],
])('%s, as the %s, ends so', (_what, leg, taped, ending) => {
  expect(endings(leg, taped)).toEqual([ending])
})

test('an answer that was used whole ends cleanly, though nobody waited for the end of its connection', () => {
  const end = { outcome: 'answered', hashes: {} } as const
  expect(endings('upstream', exchange({ calls: [call(1, 'open'), call(2, 'open')], end }))).toEqual([
    'reset',
    'clean',
  ])
})

test('an exchange whose request is not on the tape has nothing to answer', () => {
  expect(endings('proxy', exchange({ request: undefined }))).toEqual([])
})
