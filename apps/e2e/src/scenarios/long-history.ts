import { expect, expectPrinted, expectSamePrefix } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { answeredCalls, rounds } from '../upstream/conversation.ts'

const TURNS = 36

/** A session that goes on and on: every request repeats the whole history. */
export const longHistory: Scenario = {
  name: 'long-history',
  title: `${TURNS} turns of tool calls: every request is legal and begins with the bytes of the one before`,
  async play({ upstream, claude }) {
    upstream.play(({ body }) => {
      const turn = rounds(body)
      if (turn === TURNS)
        return { text: `all ${answeredCalls(body).filter(isRight).length} results are there` }
      const command = `seq -s ' ' ${turn} 300; echo turn-${turn}`
      const call = { name: 'Bash', arguments: { command, description: `turn-${turn}` } }
      const calls =
        turn % 5 === 0
          ? [call, { ...call, arguments: { ...call.arguments, command: `${command} ` } }]
          : [call]
      return { reasoning: `On turn ${turn}.`, text: `Turn ${turn}.`, calls }
    })
    const outcome = await claude(['-p', 'go on and on', '--allowedTools', 'Bash'])
    expectPrinted(outcome, `all ${TURNS + Math.ceil(TURNS / 5)} results are there`)
    const { received } = upstream
    expect(received.length === TURNS + 1, `expected ${TURNS + 1} requests, got ${received.length}`)
    expectSamePrefix(received)
  },
}

function isRight({ input, result }: { input: string; result: string }): boolean {
  const { description } = JSON.parse(input) as { description: string }
  return result.trim().endsWith(` 300\n${description}`)
}
