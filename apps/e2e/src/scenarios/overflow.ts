import { refuse, type Turn } from '@hydra/testkit'
import { expect, expectFailure, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { mentions, rounds } from '../upstream/conversation.ts'

const TOO_LONG: Turn = refuse(400, {
  message:
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens " +
    '(118000 in the messages, 12000 in the functions). Please reduce the length of the messages or functions.',
  type: 'invalid_request_error',
  param: 'messages',
  code: 'context_length_exceeded',
})

/** A first prompt that is too long for the model: nothing can be left out, so Claude Code must say so. */
export const overflow: Scenario = {
  name: 'overflow',
  title: 'a context overflow is recognised, numbers included',
  async play({ upstream, claude }) {
    upstream.play(() => TOO_LONG)
    expectFailure(await claude(['-p', 'hi']), /prompt is too long.*130000.*128000/i)
    expect(upstream.received.length === 1, `expected one request, got ${upstream.received.length}`)
  },
}

/** A conversation that grows too long: Claude Code sums it up and goes on. */
export const compaction: Scenario = {
  name: 'compaction',
  title: 'a context overflow in the middle of work: the history is compacted and the work goes on',
  async play({ upstream, claude }) {
    upstream.play(({ body }, number) => {
      if (mentions(body, 'user', 'Respond with TEXT ONLY'))
        return { text: '<analysis>Much was done.</analysis><summary>The summary of it all.</summary>' }
      if (mentions(body, 'user', 'The summary of it all.')) return { text: 'done after compaction' }
      if (rounds(body) === 4) return TOO_LONG
      const input = { command: `seq -s ' ' ${number} 400`, description: 'Counts' }
      return { text: 'Counting.', calls: [{ name: 'Bash', arguments: input }] }
    })
    expectPrinted(await claude(['-p', 'count', '--allowedTools', 'Bash']), 'done after compaction')
  },
}
