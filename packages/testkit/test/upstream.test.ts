import { expect, onTestFinished, test } from 'vitest'
import {
  answer,
  cut,
  cutAt,
  event,
  events,
  hang,
  head,
  play,
  raw,
  RawConnection,
  refuse,
  type Script,
  type ScriptedUpstream,
  startUpstream,
  textChunk,
  within,
} from '../src/index.ts'

const REQUEST = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

async function upstreamWith(script: Script): Promise<ScriptedUpstream> {
  const upstream = await startUpstream(script)
  onTestFinished(() => upstream.close())
  return upstream
}

function ask({ url }: ScriptedUpstream, changes: object = {}): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...REQUEST, ...changes }),
  })
}

async function askRaw(upstream: ScriptedUpstream): Promise<RawConnection> {
  const connection = await RawConnection.open(upstream.url)
  connection.send({
    url: `${upstream.url}/chat/completions`,
    body: JSON.stringify({ ...REQUEST, stream: true }),
  })
  return connection
}

test('an answer comes whole or as a stream, as the request asks for it', async () => {
  const upstream = await upstreamWith(
    answer({ reasoning: 'Hm', text: 'Hello', calls: [{ name: 'f', arguments: { a: 1 } }] }),
  )
  const whole = await (await ask(upstream)).json()
  expect(whole).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'Hello',
          reasoning_content: 'Hm',
          tool_calls: [{ id: 'call_f_0', function: { name: 'f', arguments: '{"a":1}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 1200 },
  })
  const stream = await (await ask(upstream, { stream: true })).text()
  expect(stream).toMatch(
    /"reasoning_content":"Hm".*"content":"Hello".*"name":"f".*"finish_reason":"tool_calls"/s,
  )
  expect(stream).not.toContain('usage')
  expect(stream).toMatch(/data: \[DONE\]\n\n$/)
  const counted = await (
    await ask(upstream, { stream: true, stream_options: { include_usage: true } })
  ).text()
  expect(counted).toContain('"prompt_tokens":1200')
})

test('each request has its turn, and one too many is refused', async () => {
  const upstream = await upstreamWith([refuse(503, { message: 'busy' }), answer({ text: 'Hello' })])
  for (const status of [503, 200, 400]) {
    // oxlint-disable no-await-in-loop -- one after the other
    const response = await ask(upstream)
    expect(response.status).toBe(status)
    await response.text()
    // oxlint-enable no-await-in-loop
  }
})

test('it records what it saw and what became of it', async () => {
  const upstream = await upstreamWith(events(textChunk('Hello')))
  await (await ask(upstream, { stream: true })).text()
  const request = await upstream.request(0)
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    body: { ...REQUEST, stream: true },
    problems: [],
    outcome: 'answered',
  })
  expect(request.headers['content-type']).toBe('application/json')
  expect(request.text).toBe(JSON.stringify({ ...REQUEST, stream: true }))
})

test('an answer can be cut after any number of bytes', async () => {
  const turn = events(textChunk('Hello'))
  const whole = await (async () => {
    const upstream = await upstreamWith(turn)
    const connection = await askRaw(upstream)
    await connection.until('0\r\n\r\n')
    connection.leave()
    return connection.received
  })()
  for (let bytes = 1; bytes < whole.length; bytes += 17) {
    // oxlint-disable no-await-in-loop -- one after the other
    const upstream = await upstreamWith(cutAt(turn, bytes, 'close'))
    const connection = await askRaw(upstream)
    await within(connection.closed(), 'the cut')
    expect(connection.received).toBe(whole.slice(0, bytes))
    expect((await upstream.request(0)).outcome).toBe('cut')
    expect((await upstream.request(0)).sent).toBe(bytes)
    // oxlint-enable no-await-in-loop
  }
})

test('it can hang at any point, until the client is gone', async () => {
  for (const steps of [[hang()], [head(), hang()], [head(), event('half'), hang()]]) {
    // oxlint-disable no-await-in-loop -- one after the other
    const upstream = await upstreamWith(play(...steps))
    const connection = await askRaw(upstream)
    const request = await upstream.request(0)
    if (steps.length > 2) await connection.until('half')
    expect(request.outcome).toBe('answering')
    connection.leave()
    await within(request.closed, 'the end of the connection')
    expect(upstream.connections).toBe(0)
    // oxlint-enable no-await-in-loop
  }
})

test('it can reset a connection, and answer what is no HTTP', async () => {
  const resetting = await upstreamWith(play(head(), cut('reset')))
  await expect((async () => (await ask(resetting, { stream: true })).text())()).rejects.toThrow()
  const nonsense = await upstreamWith(play(raw('SSH-2.0-OpenSSH\r\n\r\n'), cut('close')))
  await expect(ask(nonsense)).rejects.toThrow('fetch failed')
})
