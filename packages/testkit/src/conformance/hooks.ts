import { HubError } from '@hydra/core'
import { expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { collectEvents } from '../http/server-event.ts'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { ANTHROPIC, askStream, askWhole, expectError, messagesRequest, post } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello' })

/** The hook that lets requests in is given the framework's own request. */
export function hookTests(bind: Bind): void {
  test('authorize sees the request, and its error is the answer', async () => {
    const seen: { method: string; path: string; native: unknown }[] = []
    const { url, upstream, server, reports } = await stage(bind, HELLO, {
      gateway: {
        authorize({ method, path, headers, native }) {
          seen.push({ method, path, native })
          if (headers['x-tenant'] === 'known') return true
          return new HubError('authentication_error', 'who are you?')
        },
      },
    })
    const ask = (tenant: string): Promise<Response> =>
      post(`${url}/v1/messages?beta=true`, messagesRequest(), { 'x-tenant': tenant })
    const { error } = await expectError(await ask('stranger'), 401, 'authentication_error')
    expect(error.message).toBe('who are you?')
    expect(upstream.seen).toHaveLength(0)
    expect(reports).toMatchObject([{ outcome: 'failed', status: 401 }])
    expect((await ask('known')).status).toBe(200)
    expect(seen).toMatchObject([
      { method: 'POST', path: '/v1/messages' },
      { method: 'POST', path: '/v1/messages' },
    ])
    expect(seen.map(({ native }) => server.headerOf(native, 'x-tenant'))).toEqual(['stranger', 'known'])
  })

  test('authorize guards every endpoint, and what it throws is the answer', async () => {
    const { url } = await stage(bind, HELLO, { gateway: { authorize: refuseAll } })
    const answers = await Promise.all(
      ['/', '/health', '/v1/models', '/nothing'].map((path) => fetch(url + path, { headers: ANTHROPIC })),
    )
    await Promise.all(answers.map((response) => expectError(response, 403, 'permission_error')))
  })
}

async function refuseAll(): Promise<never> {
  throw new HubError('permission_error', 'not for you')
}

/** Every exchange is reported. */
export function reportTests(bind: Bind): void {
  test('onExchange reports each exchange once, with the request it was', async () => {
    const { url, server, reports, natives } = await stage(bind, HELLO)
    const headers = { 'x-tenant': 'acme', 'user-agent': 'claude-cli/2.1.325 (external, cli)' }
    await (await post(`${url}/v1/messages`, messagesRequest(), headers)).json()
    await collectEvents(await askStream(url))
    await (await askWhole(url, { messages: 'none' })).json()
    await eventually(() => reports.length === 3, 'three reports')
    expect(reports).toMatchObject([
      {
        outcome: 'answered',
        status: 200,
        stream: false,
        path: '/v1/messages',
        agent: { name: 'claude-cli/2.1.325' },
        clientModel: 'claude-test',
        upstreamModel: 'scripted-model',
        usage: { output_tokens: 34 },
      },
      { outcome: 'answered', status: 200, stream: true },
      { outcome: 'failed', status: 400 },
    ])
    expect(server.headerOf(natives[0], 'x-tenant')).toBe('acme')
  })
}
