import type { PlayedAnswer } from '@hydra/tape'
import { expect, test } from 'vitest'
import { event, exchange, REQUEST, saying, tapeOf } from '../../test/exchanges.ts'
import { judgeOther } from './oracles.ts'
import { type Subject, subjectsOf } from './subject.ts'

/** An answer of an upstream that speaks its client's dialect, so that it is relayed. */
function relayed(): Subject {
  const taped = exchange({ via: { relayed: true } })
  const { request } = taped
  if (request === undefined) throw new Error('there is a request')
  const chat = { ...request, path: '/v1/chat/completions', dialect: 'openai-chat' } as const
  const [subject] = subjectsOf(tapeOf('tape', { ...taped, request: chat })).subjects
  if (subject === undefined) throw new Error(`there is a subject for ${REQUEST.model}`)
  return subject
}

const DONE = event('[DONE]')
const FINISHED = saying('Hello').slice(0, -1).join('')

function judge(came: string, text: string, ended: PlayedAnswer['ended'] = 'clean'): string | undefined {
  return judgeOther(relayed(), { text, failure: undefined, isRefused: false, ended }, Buffer.from(came))
}

test('the word that ends a stream may be added where none came, and nothing else', () => {
  expect(judge(FINISHED, FINISHED + DONE)).toBeUndefined()
  expect(judge(FINISHED, `${FINISHED}${event('{}')}`)).toContain('what was relayed differs')
  expect(judge(FINISHED + DONE, FINISHED + DONE)).toBeUndefined()
  expect(judge(FINISHED + DONE, FINISHED + DONE + DONE)).toContain('what was relayed differs')
})

test('a line that only looks like that word is none: ours stands behind it', () => {
  const mutated = `${FINISHED}d${DONE}`
  expect(judge(mutated, mutated + DONE)).toBeUndefined()
  // The line that came must not get lost on the way.
  expect(judge(mutated, FINISHED + DONE + DONE)).toContain('what was relayed differs')
  // What the translator really makes of it is judged as the rest.
  const subject = relayed()
  const bytes = Buffer.from(mutated)
  const played = subject.play([bytes], 'end')
  expect(played.text).toBe(mutated + DONE)
  expect(judgeOther(subject, played, bytes)).toBeUndefined()
})

test('a stream that was never finished has no clean end', () => {
  const [begun = ''] = saying('Hello')
  expect(judge(begun, begun + DONE)).toContain('said nowhere that it is finished')
  expect(judge(begun, begun, 'open')).toContain('neither an end nor an error')
})
