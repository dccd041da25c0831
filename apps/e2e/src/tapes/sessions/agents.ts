import { expectPrinted } from '../../expectations.ts'
import { agentNamed } from '../../matrix/agents.ts'
import { lastResults, rounds, toolNames } from '../../upstream/conversation.ts'
import type { TapeSession } from '../session.ts'

/** A tool loop of an agent: a call, another one that needs its result, and an answer. */
function toolLoop(agent: string, title: string): TapeSession {
  const { shell } = agentNamed(agent)
  const call = (command: string): { name: string; arguments: object } => {
    const { name, input } = shell(command)
    return { name, arguments: input }
  }
  return {
    name: `${agent}-tool-loop`,
    agent: title,
    program: agent,
    shows:
      'The model calls a tool twice, one call after the other, and answers with what the last of them said.',
    rules: () => [],
    isOwn: (line) => /4711/.test(line),
    async play({ upstream, agent: ask }) {
      upstream.play(({ body }) => {
        if (toolNames(body).length === 0) return { text: 'A number' }
        if (rounds(body) === 0) return { text: 'I will look.', calls: [call('echo 4711')] }
        if (rounds(body) === 1) return { calls: [call('echo 4711-again')] }
        return { text: `The tool said ${/4711-again/.exec(lastResults(body).join())?.[0]}.` }
      })
      expectPrinted(await ask('Which number is it?'), 'The tool said 4711-again.')
    },
  }
}

/** Settings of Gemini CLI: with all its tools the tape is twice as large. */
const FEW_TOOLS = { tools: { core: [agentNamed('gemini').shell('').name] }, skills: { enabled: false } }

/** Sessions of agents other than Claude Code. */
export const agents: readonly TapeSession[] = [
  toolLoop('codex', 'Codex'),
  toolLoop('opencode', 'opencode'),
  toolLoop('pi', 'pi'),
  { ...toolLoop('gemini', 'Gemini CLI'), home: { '.gemini/settings.json': JSON.stringify(FEW_TOOLS) } },
]
