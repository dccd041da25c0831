import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  argumentsChunk,
  callChunk,
  chunk,
  cut,
  event,
  head,
  play,
  type Step,
  textChunk,
} from '@hydra/testkit'
import { expect, expectExit } from '../expectations.ts'
import type { Scenario, Stage } from '../scenario.ts'

const BEGIN = [head(), event(chunk({ role: 'assistant', content: '' }))]
const HALF_A_TEXT = [...BEGIN, event(textChunk('The wrong ')), event(textChunk('ans'))]
const OVERLOADED = {
  error: { message: 'The server had an error', type: 'server_error', param: null, code: null },
}

/** An upstream that says in the middle of its answer that it cannot go on. */
export const midwayError: Scenario = {
  name: 'midway-error',
  title: 'an error in the middle of a stream: the question is repeated',
  play: (stage) => playBroken(stage, [...HALF_A_TEXT, event(OVERLOADED)]),
}

/** An upstream that hangs up as if it were finished. */
export const midwayClose: Scenario = {
  name: 'midway-close',
  title: 'a stream that ends too early: the question is repeated',
  play: (stage) => playBroken(stage, [...HALF_A_TEXT, cut('close')]),
}

/** An upstream whose machine goes down in the middle of a tool call: half a call must not be run. */
export const midwayReset: Scenario = {
  name: 'midway-reset',
  title: 'a connection that breaks in the middle of a tool call: it is not run, the question is repeated',
  async play(stage) {
    const half = [callChunk(0, 'call_half', 'Bash'), argumentsChunk(0, '{"command":"touch half-a-call')]
    await playBroken(stage, [...BEGIN, ...half.map(event), cut('reset')])
    const wasRun = await access(join(stage.folder, 'half-a-call')).then(
      () => true,
      () => false,
    )
    expect(!wasRun, 'half a tool call was run')
  },
}

async function playBroken({ upstream, claude }: Stage, steps: readonly Step[]): Promise<void> {
  upstream.play((_, number) => (number === 0 ? play(...steps) : { text: 'The right answer.' }))
  const outcome = await claude(['-p', 'what is right', '--allowedTools', 'Bash'])
  expectExit(outcome, 0)
  const said = outcome.stdout.trim()
  expect(said === 'The right answer.', `expected only the right answer, got ${JSON.stringify(said)}`)
  expect(upstream.received.length > 1, 'expected the question to be repeated')
}
