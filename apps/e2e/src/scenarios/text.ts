import { expect, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'

const ANSWER = 'The answer is 42. Größe 中文 🎉'

/** A plain question and its answer, with characters of every length. */
export const text: Scenario = {
  name: 'text',
  title: 'a plain answer is printed, character by character',
  async play({ upstream, claude }) {
    upstream.play(() => ({ reasoning: 'Let me think about it. 🤔', text: ANSWER }))
    const outcome = await claude(['-p', 'what is the answer'])
    expectPrinted(outcome, ANSWER)
    expect(outcome.stdout.trim() === ANSWER, `expected nothing but the answer, got ${outcome.stdout}`)
    expect(upstream.received.length === 1, `expected one request, got ${upstream.received.length}`)
  },
}
