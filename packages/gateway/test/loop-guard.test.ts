import { type HubMessage, type HubResponse, type LoopMode, profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { HONEST_SESSIONS } from '../../core/test/loops/honest-sessions.ts'
import { LOOPING_SESSIONS } from '../../core/test/loops/looping-sessions.ts'
import { call, session, times } from '../../core/test/loops/session.ts'
import { chunked, CHUNKED_HEAD, LAST_CHUNK, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { post, type Proxy, type ProxyOptions, startProxy } from './proxy.ts'
import { type Script, type ScriptedUpstream, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const SAME = session('go', ...times(5, () => call('Bash', { command: 'git status' }, 'clean')))
const MESSAGE = 'Bash was called 5 times with the same input and brought nothing new'
const answering: Script = (wire) => wire.write(WHOLE_ANSWER)

async function guarded(
  mode: LoopMode | undefined,
  { script = answering, ...options }: ProxyOptions & { readonly script?: Script } = {},
): Promise<{ proxy: Proxy; upstream: ScriptedUpstream }> {
  const upstream = await opened(scriptedUpstream(script))
  const loopGuard = mode === undefined ? {} : { loopGuard: { mode } }
  return { upstream, proxy: await opened(startProxy({ upstream: upstream.url, ...loopGuard, ...options })) }
}

function sentMessages({ requests }: ScriptedUpstream): { role: string; content: unknown }[] {
  return (JSON.parse(requests.at(-1)?.body ?? '') as { messages: { role: string; content: unknown }[] })
    .messages
}

test('without the guard nothing is looked for', async () => {
  const { proxy, upstream } = await guarded(undefined)
  const response = await post(proxy, { messages: SAME })
  expect(response.headers.get('x-hydra-notes')).toBe('0')
  await response.text()
  expect(upstream.requests).toHaveLength(1)
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(proxy.reports[0]).toMatchObject({ notes: [], loop: undefined })
})

test('warn: the request goes out unchanged, and the report says what repeats', async () => {
  const plain = await guarded(undefined)
  await (await post(plain.proxy, { messages: SAME })).text()
  const { proxy, upstream } = await guarded('warn')
  const response = await post(proxy, { messages: SAME })
  expect(response.headers.get('x-hydra-notes')).toBe('1')
  expect(await response.text()).toContain('event: message_stop')
  expect(upstream.requests[0]?.body).toBe(plain.upstream.requests[0]?.body)
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'answered',
    loop: { mode: 'warn', kind: 'same_call', tool: 'Bash', count: 5 },
    notes: [{ code: 'loop_found', path: 'messages[9]', message: MESSAGE }],
  })
  expect(JSON.stringify(proxy.reports)).not.toContain('git status')
})

test('notify: the model is told at the end, and what was said before stays as it was', async () => {
  const plain = await guarded(undefined)
  await (await post(plain.proxy, { messages: SAME })).text()
  const { proxy, upstream } = await guarded('notify')
  const response = await post(proxy, { messages: SAME })
  expect(response.headers.get('x-hydra-notes')).toBe('1')
  await response.text()
  const sent = sentMessages(upstream)
  expect(sent.slice(0, -1)).toEqual(sentMessages(plain.upstream))
  const reminder = JSON.stringify(sent.at(-1))
  expect(sent.at(-1)?.role).toBe('user')
  expect(reminder).toContain('<system-reminder>')
  expect(reminder).toContain(MESSAGE)
  expect(reminder).toContain('git status')
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(proxy.reports[0]).toMatchObject({
    notes: [{ code: 'loop_reminder_added' }],
    loop: { mode: 'notify' },
  })
})

test('stop: a stream that says what repeated and ends the turn, without a call', async () => {
  const { proxy, upstream } = await guarded('stop')
  const response = await post(proxy, { messages: SAME })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('x-hydra-notes')).toBe('1')
  const text = await response.text()
  expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(text).toContain(`Stopped by Hydra's loop guard: ${MESSAGE}.`)
  expect(text).toContain('"stop_reason":"end_turn"')
  expect(upstream.requests).toEqual([])
  await eventually(() => proxy.reports.length === 1 && proxy.gateway.active === 0, 'a report')
  expect(proxy.reports[0]).toMatchObject({
    outcome: 'answered',
    status: 200,
    upstream: undefined,
    stopReason: 'end_turn',
    loop: { mode: 'stop', count: 5 },
    notes: [{ code: 'loop_stopped' }],
  })
})

test('stop: a whole answer for a client that wants one, under the name the route tells', async () => {
  const routes = [{ name: 'all', upstream: 'up', model: 'm', spoof: 'claude-spoofed' }]
  const { proxy } = await guarded('stop', { routes })
  const response = await post(proxy, { messages: SAME, stream: false })
  const message = (await response.json()) as HubResponse
  expect(message).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'claude-spoofed',
    stop_reason: 'end_turn',
    usage: { input_tokens: 0, output_tokens: 0 },
  })
  expect(message.content).toHaveLength(1)
  expect(JSON.stringify(message.content)).toContain(MESSAGE)
})

test('after the user has said how to go on, the model is called again', async () => {
  const { proxy, upstream } = await guarded('stop')
  const stopped = (await (await post(proxy, { messages: SAME, stream: false })).json()) as HubResponse
  const messages = [
    ...SAME,
    { role: 'assistant', content: stopped.content },
    { role: 'user', content: 'look into the other folder' },
  ]
  expect(await (await post(proxy, { messages })).text()).toContain('Guten')
  expect(upstream.requests).toHaveLength(1)
})

test.each(Object.entries(LOOPING_SESSIONS))('%s is stopped', async (_name, { messages, message }) => {
  const { proxy, upstream } = await guarded('stop')
  const response = await post(proxy, { messages, stream: false })
  expect(await response.text()).toContain(message)
  expect(upstream.requests).toEqual([])
})

test.each(Object.entries(LOOPING_SESSIONS))(
  '%s gets a reminder in a legal request',
  async (_name, looping) => {
    const { proxy, upstream } = await guarded('notify')
    const response = await post(proxy, { messages: looping.messages })
    expect(response.status).toBe(200)
    await response.text()
    const sent = sentMessages(upstream)
    expect(sent.at(-1)?.role).toBe('user')
    expect(JSON.stringify(sent.at(-1))).toContain(looping.message)
  },
)

test.each(Object.entries(HONEST_SESSIONS))('%s: every request reaches the model', async (_name, messages) => {
  const { proxy, upstream } = await guarded('stop')
  const ends = messages.flatMap(({ role }, index) => (role === 'user' ? [index + 1] : [])).slice(-8)
  const answers = await Promise.all(
    ends.map(async (end) => (await post(proxy, { messages: messages.slice(0, end) })).text()),
  )
  for (const answer of answers) expect(answer).toContain('Guten')
  expect(upstream.requests).toHaveLength(ends.length)
})

/** A model that makes the same call for ever, as an upstream streams it. */
const looping: Script = (wire, _request, index) => {
  const delta = {
    tool_calls: [
      { index: 0, id: `call_${index}`, function: { name: 'Bash', arguments: '{"command":"ls"}' } },
    ],
  }
  const events = [{ delta }, { delta: {}, finish_reason: 'tool_calls' }].map(
    (choice) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`,
  )
  return wire.write(CHUNKED_HEAD + [...events, 'data: [DONE]\n\n'].map(chunked).join('') + LAST_CHUNK)
}

/** An agent as simple as it gets: it runs what it is told to and asks again until the model is done. */
async function runAgent(proxy: Proxy, prompt: string): Promise<{ turns: number; last: HubResponse }> {
  const messages: HubMessage[] = [{ role: 'user', content: prompt }]
  for (let turns = 1; ; turns++) {
    // oxlint-disable-next-line no-await-in-loop -- each turn answers the one before it
    const answer = (await (await post(proxy, { messages, stream: false })).json()) as HubResponse
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0 || turns === 50) return { turns, last: answer }
    messages.push(
      { role: 'assistant', content: answer.content as Extract<HubMessage['content'], unknown[]> },
      {
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'a.ts' })),
      },
    )
  }
}

test('an agent whose model loops is stopped after five calls, and two agents of one client do not add up', async () => {
  const { proxy, upstream } = await guarded('stop', { script: looping })
  const runs = await Promise.all([runAgent(proxy, 'one'), runAgent(proxy, 'two')])
  for (const { turns, last } of runs) {
    expect(turns).toBe(6)
    expect(JSON.stringify(last.content)).toContain(MESSAGE)
  }
  expect(upstream.requests).toHaveLength(10)
})

test('a route that passes requests on gets a warning where a reminder is wanted', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const { proxy } = await guarded('notify', {
    upstreams: { up: { dialect: 'anthropic', url: upstream.url, profile: profiles.anthropic } },
    routes: [{ name: 'all', upstream: 'up', passthrough: true }],
  })
  await (await post(proxy, { messages: SAME })).text()
  expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ messages: SAME })
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(proxy.reports[0]).toMatchObject({ notes: [{ code: 'loop_found' }], loop: { mode: 'notify' } })
})
