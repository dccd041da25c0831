import { setTimeout as sleep } from 'node:timers/promises'
import { PROMPTS, TURNS } from './turns.ts'

const RULES =
  'Say what you do before you do it. Change as little as you can. Run the tests before you say that it works. '

const SYSTEM = [
  { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.325.000; cc_entrypoint=cli;' },
  { type: 'text', text: 'You help somebody who writes programs.' },
  { type: 'text', text: `You work in a repository, with tools. ${RULES.repeat(24)}` },
]

const TOOLS = [
  tool('Read', 'Reads a file of the repository and numbers its lines. ', ['file_path']),
  tool('Edit', 'Replaces words in a file by other words, in one place or everywhere. ', [
    'file_path',
    'old',
    'new',
  ]),
  tool('Bash', 'Runs a command in the folder of the repository and waits for its end. ', [
    'command',
    'description',
  ]),
  tool('Agent', 'Has somebody else do a part of the work and tells what came of it. ', [
    'description',
    'prompt',
  ]),
]

function tool(name: string, description: string, fields: readonly string[]): object {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  return {
    name,
    description: description.repeat(6).trim(),
    input_schema: { type: 'object', properties, required: fields },
  }
}

/** One agent of a session. */
interface Agent {
  readonly proxy: string
  readonly session: string
  readonly prompt: string
  readonly id?: string
}

/** An agent that does what the script says, until the model calls no tool any more. */
export async function runAgent(agent: Agent): Promise<void> {
  const messages: object[] = [{ role: 'user', content: [{ type: 'text', text: agent.prompt }] }]
  await ask(agent, messages)
  for (const { thinking, text, call, result } of TURNS[agent.prompt] ?? []) {
    if (call === undefined || result === undefined) return
    // oxlint-disable-next-line no-await-in-loop -- turn after turn
    if (call.name === 'Agent') await runAgent({ ...agent, prompt: PROMPTS.delegated, id: 'finder' })
    // oxlint-disable-next-line no-await-in-loop
    await sleep(result.took)
    const id = `toolu_${messages.length}`
    messages.push(
      {
        role: 'assistant',
        content: [
          ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: '' }]),
          { type: 'text', text },
          { type: 'tool_use', id, ...call },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: result.text,
            ...(result.failed === true && { is_error: true }),
          },
        ],
      },
    )
    // oxlint-disable-next-line no-await-in-loop
    await ask(agent, messages)
  }
}

async function ask({ proxy, session, id }: Agent, messages: readonly object[]): Promise<void> {
  const response = await fetch(`${proxy}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'any',
      'user-agent': 'claude-cli/2.1.325 (external, cli)',
      'x-claude-code-session-id': session,
      ...(id !== undefined && { 'x-claude-code-agent-id': id }),
    },
    body: JSON.stringify({
      model: id === undefined ? 'claude-opus-4-5' : 'claude-haiku-4-5',
      max_tokens: 8000,
      stream: true,
      system: SYSTEM,
      tools: TOOLS,
      messages,
    }),
  })
  await response.text()
}
