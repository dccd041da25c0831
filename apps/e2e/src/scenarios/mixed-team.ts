import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'
import type { ScriptedAnswer } from '@hydra/testkit'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import { expect, expectPrinted } from '../expectations.ts'
import { CLIENT_KEY, UPSTREAM_KEY } from '../keys.ts'
import { type RunningProxy, startProxy } from '../proxy.ts'
import type { Scenario, SessionOptions, Stage } from '../scenario.ts'
import {
  type AnthropicAnswer,
  type AnthropicUpstream,
  startAnthropicUpstream,
  userTexts,
} from '../upstream/anthropic-upstream.ts'
import { lastResults, mentions } from '../upstream/conversation.ts'
import type { StrictUpstream } from '../upstream/strict-upstream.ts'
import { hydraRunning } from './hydra-run.ts'

const MARKER = 'hydra:lead'
const TASK = 'Find the number that the teammate is asked for.'
const FOUND = 'the teammate found 4711'
const ARGS = ['-p', 'THE-WHOLE-JOB', '--append-system-prompt', MARKER]
const TOOLS = ['--allowedTools', 'Bash', 'Agent', 'Task']

/** The documented way to a mixed team: the marker in the lead's system prompt, and its own key. */
export const mixedTeam: Scenario = {
  name: 'mixed-team',
  title: 'a lead with the marker in its system prompt stays on Claude, its teammate is translated',
  async play(stage) {
    const anthropic = await startAnthropicUpstream()
    try {
      const flags = ['--passthrough', 'lead', '--anthropic-url', anthropic.url]
      const proxy = await startProxy(stage.upstream.url, stage.home, { flags })
      try {
        await playTeam(stage, anthropic, { env: { ANTHROPIC_BASE_URL: proxy.url } })
        // It is not told again that requests pass.
        await playTeam(stage, anthropic, { command: hydraRunning(Number(new URL(proxy.url).port)) })
        expectNoKeys(proxy)
      } finally {
        await proxy.stop()
      }
    } finally {
      anthropic.close()
    }
  },
}

async function playTeam(
  { upstream, claude }: Stage,
  anthropic: AnthropicUpstream,
  options: SessionOptions,
): Promise<void> {
  anthropic.play(lead)
  upstream.play(({ body }) => teammate(body))
  expectPrinted(await claude([...ARGS, ...TOOLS], options), 'the lead knows it too')
  expectLead(anthropic)
  expectTeammate(upstream)
}

/** Newer versions run teammates in the background unless they are told to wait. */
function lead(request: MessageCreateParams): AnthropicAnswer {
  if (userTexts(request).some((said) => said.includes(FOUND))) return { text: 'the lead knows it too' }
  const names = (request.tools ?? []).map((tool) => ('name' in tool ? tool.name : ''))
  const name = names.find((tool) => tool === 'Agent' || tool === 'Task') ?? 'Agent'
  const input = {
    description: 'Find it',
    prompt: TASK,
    subagent_type: 'general-purpose',
    run_in_background: false,
  }
  return { calls: [{ name, input }] }
}

function teammate(request: ChatCompletionCreateParams): ScriptedAnswer {
  const [found] = lastResults(request)
  if (found !== undefined) return { text: `the teammate found ${found.trim()}` }
  return { calls: [{ name: 'Bash', arguments: { command: 'echo 4711', description: 'Finds it' } }] }
}

function expectLead({ received }: AnthropicUpstream): void {
  expect(received.length === 2, `expected two requests of the lead at Anthropic, got ${received.length}`)
  for (const { headers, body } of received) {
    expect(JSON.stringify(body.system).includes(MARKER), 'a request without the marker went to Anthropic')
    expect(headers['x-api-key'] === CLIENT_KEY, "a request came to Anthropic without the client's own key")
    expect(headers['x-claude-code-agent-id'] === undefined, "a teammate's request went to Anthropic")
  }
}

function expectTeammate({ received }: StrictUpstream): void {
  expect(received.length === 2, `expected two requests of the teammate, got ${received.length}`)
  for (const { request } of received) {
    expect(mentions(request.body, 'user', TASK), 'a request that is not the teammate’s was translated')
    const isLeaked = JSON.stringify(request.headers).includes(CLIENT_KEY)
    expect(!isLeaked, "the client's key has reached the other provider")
  }
}

function expectNoKeys({ output }: RunningProxy): void {
  const leaked = [CLIENT_KEY, UPSTREAM_KEY].find((key) => output.includes(key))
  expect(leaked === undefined, `the proxy has logged the key ${leaked}`)
}
