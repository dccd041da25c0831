import { type AgentTool, PartsTracker } from '@hydra/agent'
import { type HubMessage, Notes } from '@hydra/core'
import { expect, test } from 'vitest'
import { runAgent, type RunAgentOptions, sendTo } from '../src/agent/index.ts'
import { createGateway, Secret } from '../src/index.ts'
import { CLOSING_HEAD } from './answers.ts'
import { closing } from './eventually.ts'
import { optionsFor, startProxy } from './proxy.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

const opened = closing()
const GO: HubMessage[] = [{ role: 'user', content: 'Go' }]
const CANARY = ['hydra', 'canary', '0123456789'].join('-')

const add: AgentTool = {
  name: 'add',
  input_schema: { type: 'object' },
  run: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
}

function chat(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

/** A model that adds two numbers with a tool and then says that it did. */
const adding: Script = (wire, _, index) => {
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'add', arguments: '{"a":1,"b":2}' },
  }
  const events =
    index === 0 ? chat({ tool_calls: [call] }, 'tool_calls') : chat({ content: 'Three.' }, 'stop')
  wire.end(`${CLOSING_HEAD}${events}data: [DONE]\n\n`)
}

function upstreamWith(script: Script): Promise<ScriptedUpstream> {
  return opened(scriptedUpstream(script))
}

function run(
  send: RunAgentOptions['send'],
  rest: Partial<RunAgentOptions> = {},
): ReturnType<typeof runAgent> {
  return runAgent({ send, model: 'claude-x', messages: GO, tools: [add], ...rest })
}

test.each(['', '/v1', '/v1/messages'])('an agent works through a server by its address: %s', async (path) => {
  const upstream = await upstreamWith(adding)
  const proxy = await opened(startProxy({ upstream: upstream.url }))
  const result = await run(proxy.url + path)
  expect(result).toMatchObject({ outcome: 'done', text: 'Three.', iterations: 2, notes: [] })
  const { messages } = JSON.parse(upstream.requests[1]?.body ?? '') as { messages: object[] }
  expect(messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content: '{"sum":3}' })
  expect(result.conversation.toOpenAI().messages.slice(0, 3)).toEqual(messages)
})

test('an agent works through a gateway in the same process, without a server', async () => {
  const upstream = await upstreamWith(adding)
  const gateway = createGateway(optionsFor({ upstream: upstream.url }))
  expect(await run(gateway)).toMatchObject({ outcome: 'done', text: 'Three.', iterations: 2 })
  await gateway.close()
})

test('the official form on the wire: a key under its header, our version, and a stream', async () => {
  const upstream = await upstreamWith((wire) => wire.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'))
  await run(upstream.url, { key: new Secret(CANARY), headers: { 'x-extra': 'yes' } })
  expect(upstream.requests[0]).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': CANARY, 'x-extra': 'yes', 'anthropic-version': '2023-06-01' },
  })
  expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ stream: true, model: 'claude-x' })
})

test('a refusal of the server is the error of the run, in its words and without the key', async () => {
  const body = JSON.stringify({ error: { type: 'authentication_error', message: `bad key ${CANARY}` } })
  const upstream = await upstreamWith((wire) =>
    wire.end(
      `HTTP/1.1 401 No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ),
  )
  const result = await run(upstream.url, { key: new Secret(CANARY) })
  expect(result).toMatchObject({ outcome: 'failed', error: { kind: 'authentication_error' } })
  expect(result.outcome === 'failed' && result.error.message).toBe('bad key [redacted]')
})

test('a key that is quoted in the middle of a stream does not get into the history', async () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Half' } },
    { type: 'error', error: { type: 'api_error', message: `the key ${CANARY} was revoked` } },
  ]
  const upstream = await upstreamWith((wire) =>
    wire.end(CLOSING_HEAD + events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  )
  const { conversation, ...result } = await run(upstream.url, { key: new Secret(CANARY) })
  expect(result.outcome === 'failed' && result.error.message).toBe('the key [redacted] was revoked')
  expect(JSON.stringify(conversation.messages)).toContain(
    '[The answer broke off here: the key [redacted] was',
  )
})

test('a server that is not there is named', async () => {
  const upstream = await upstreamWith(() => {})
  await upstream.close()
  const { host } = new URL(upstream.url)
  const result = await run(upstream.url)
  expect(result.outcome === 'failed' && result.error.message).toBe(
    `upstream ${host}: the connection was refused: is it running?`,
  )
})

test('an answer that is cut off fails the run, and its words are marked in the history', async () => {
  const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Half a sen' } }
  const upstream = await upstreamWith((wire) => wire.end(`${CLOSING_HEAD}data: ${JSON.stringify(start)}\n\n`))
  const result = await run(upstream.url)
  expect(result).toMatchObject({ outcome: 'failed', text: 'Half a sen' })
  expect(JSON.stringify(result.conversation.messages.at(-1))).toContain('[The answer broke off here: ')
})

test('an abort closes the connection', async () => {
  const abort = new AbortController()
  const upstream = await upstreamWith(async (wire) => {
    await wire.write(CLOSING_HEAD)
    abort.abort()
  })
  expect(await run(upstream.url, { signal: abort.signal })).toMatchObject({ outcome: 'aborted' })
  await upstream.wires[0]?.closed
})

test('a message that has ended is not waited for any longer', async () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  const upstream = await upstreamWith((wire) =>
    wire.write(CLOSING_HEAD + events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  )
  expect(await run(upstream.url)).toMatchObject({ outcome: 'done', text: 'Hi' })
  await upstream.wires[0]?.closed
})

test('a tool that takes too long is stopped by a real clock', async () => {
  const upstream = await upstreamWith(adding)
  const gateway = createGateway(optionsFor({ upstream: upstream.url }))
  const hangs: AgentTool = { ...add, run: () => new Promise(() => {}), timeout: 1 }
  const result = await run(gateway, { tools: [hangs] })
  expect(JSON.stringify(result.conversation.messages)).toContain('add was stopped: it took longer than 1 ms.')
  expect(result.outcome).toBe('done')
  await gateway.close()
})

test('what the sender had to change is noted', async () => {
  const upstream = await upstreamWith((wire) => wire.reset())
  const notes = new Notes()
  const messages: HubMessage[] = [
    ...GO,
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: '' },
        { type: 'text', text: 'x' },
      ],
    },
    ...GO,
  ]
  const turn = { sink: new PartsTracker(), signal: new AbortController().signal, notes }
  await expect(sendTo(upstream.url)({ model: 'm', max_tokens: 1, messages }, turn)).rejects.toThrow(
    'connection',
  )
  expect(notes.list).toMatchObject([{ code: 'thinking_dropped' }])
})
