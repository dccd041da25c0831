import { type LoopMode, openaiChat, openaiResponses, registry, stopFor, usageOf } from '@hydra/core'
import type { ExchangeReport } from '@hydra/gateway'
import { readTape } from '@hydra/tape'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Response, ResponseInput } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'
import { printSession } from '../src/show/print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'
import { type Model, startAnyUpstream } from './any-upstream.ts'
import { type RecordingGateway, startRecordingGateway } from './recording-gateway.ts'

const MAX_TURNS = 8
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }
const USAGE = usageOf({ input_tokens: 1, output_tokens: 1 })

/** Asks for the same thing again and again. */
const loopingModel: Model = (sink, { messages }) => {
  sink.messageStart({ id: `m${messages.length}`, model: 'big', usage: USAGE })
  sink.blockStart({ type: 'tool_use', id: `call_${messages.length}`, name: 'weather' })
  sink.inputJson('{"city":"Paris"}')
  sink.blockStop()
  sink.messageStop(stopFor('tool_use'), USAGE)
}

/** Runs the tool as often as the model wants it; gives the model's last words. */
type Agent = (url: string) => Promise<string>

async function chatAgent(url: string): Promise<string> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: SCHEMA } }]
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is the weather?' }]
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each turn answers the one before it
    const said = await sdk.chat.completions.stream({ model: 'gpt-x', tools, messages }).finalMessage()
    if (said.tool_calls === undefined) return said.content ?? ''
    messages.push(said)
    for (const { id } of said.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: 'sun' })
  }
  return ''
}

async function responsesAgent(url: string): Promise<string> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const tools = [{ type: 'function' as const, name: 'weather', parameters: SCHEMA, strict: false }]
  let input: ResponseInput = [{ role: 'user', content: 'How is the weather?' }]
  let previous: string | null = null
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const asked = { model: 'gpt-x', tools, input, previous_response_id: previous }
    // oxlint-disable-next-line no-await-in-loop -- each turn answers the one before it
    const said: Response = await sdk.responses.stream(asked).finalResponse()
    const calls = said.output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) return said.output_text
    previous = said.id
    input = calls.map(({ call_id: id }) => ({ type: 'function_call_output', call_id: id, output: 'sun' }))
  }
  return ''
}

const AGENTS: readonly (readonly [client: string, agent: Agent])[] = [
  [openaiChat.name, chatAgent],
  [openaiResponses.name, responsesAgent],
]

async function guarded(mode: LoopMode, reports: ExchangeReport[]): Promise<RecordingGateway> {
  const dialect = openaiChat.name
  const up = {
    dialect,
    url: await startAnyUpstream(dialect, loopingModel),
    profile: registry.upstream(dialect).defaultProfile,
  }
  return startRecordingGateway({
    upstreams: { up },
    routes: [{ name: 'all', upstream: 'up', model: 'big' }],
    loopGuard: { mode },
    onExchange: (report) => void reports.push(report),
  })
}

test.for(AGENTS)(
  'a loop of an agent that speaks %s is ended, and its tape is shown and replayed',
  async ([, agent]) => {
    const reports: ExchangeReport[] = []
    const gateway = await guarded('stop', reports)
    expect(await agent(gateway.url)).toContain("Stopped by Hydra's loop guard")
    expect(reports.at(-1)).toMatchObject({ loop: { mode: 'stop' }, notes: [{ code: 'loop_stopped' }] })
    const [folder = ''] = await gateway.stop()
    expect(printSession(summarizeSession(readTape(folder)))).toContain("Stopped by Hydra's loop guard")
    const result = await regress([folder], { update: true })
    expect(result.ok, describeResult(result)).toBe(true)
  },
)

test.for(AGENTS)('a model that loops is reminded where the agent speaks %s', async ([, agent]) => {
  const reports: ExchangeReport[] = []
  const gateway = await guarded('notify', reports)
  expect(await agent(gateway.url)).toBe('')
  expect(reports.at(-1)?.notes).toContainEqual(expect.objectContaining({ code: 'loop_reminder_added' }))
  const [folder = ''] = await gateway.stop()
  const sent = readTape(folder).exchanges.at(-1)?.calls[0]?.request.body ?? new Uint8Array()
  expect(Buffer.from(sent).toString()).toContain('You seem to be in a loop')
  const result = await regress([folder], { update: true })
  expect(result.ok, describeResult(result)).toBe(true)
  expect(describeResult(result)).toContain('the loop guard reminded the model')
})
