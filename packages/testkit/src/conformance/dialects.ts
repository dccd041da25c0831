import {
  collectAnswer,
  type DialectName,
  type HubRequest,
  type HubResponse,
  plainReply,
  registry,
  type UpstreamDialect,
} from '@hydra/core'
import { expect, test } from 'vitest'
import { answer, refuse } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { type Scene, stage } from './scene.ts'

/** The dialects in which a client can be imitated: what asks an upstream asks the adapter as well. */
function spokenOnBothSides(): readonly { readonly name: DialectName; readonly dialect: UpstreamDialect }[] {
  return registry.all.flatMap(({ name, client, upstream }) =>
    client === undefined || upstream === undefined ? [] : [{ name, dialect: upstream }],
  )
}

/** Clients of every dialect are answered in their own. */
export function dialectTests(bind: Bind): void {
  for (const { name, dialect } of spokenOnBothSides()) {
    for (const stream of [true, false]) {
      test(`a client that speaks ${name} gets its answer ${stream ? 'as a stream' : 'whole'}`, async () => {
        const scene = await stage(bind, answer({ text: 'Hello there', calls: [CALL] }))
        const response = await ask(scene, dialect, stream)
        expect(response.status).toBe(200)
        const message = await read(response, dialect)
        expect(message).toMatchObject({ stop_reason: 'tool_use' })
        expect(message?.content).toMatchObject([
          { type: 'text', text: 'Hello there' },
          { type: 'tool_use', name: CALL.name, input: { path: 'a.ts' } },
        ])
        expect(scene.reports[0]).toMatchObject({ outcome: 'answered', client: name })
      })
    }

    test(`a client that speaks ${name} is told of a failure in its own form`, async () => {
      const scene = await stage(bind, refuse(404, { message: 'no such model' }))
      const response = await ask(scene, dialect, false)
      const headers = Object.fromEntries(response.headers)
      const error = dialect.decodeError({ status: response.status, headers, body: await response.text() })
      expect(error).toMatchObject({ status: 404, kind: 'not_found_error' })
      expect(error.message).toContain('no such model')
    })
  }
}

const CALL = { id: 'call_1', name: 'Read', arguments: '{"path":"a.ts"}' } as const

function ask({ url }: Scene, dialect: UpstreamDialect, stream: boolean): Promise<Response> {
  const request: HubRequest = {
    model: 'claude-test',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ name: CALL.name, input_schema: { type: 'object' } }],
    ...(stream && { stream }),
  }
  const { path, query, headers, body } = dialect.encodeRequest(request, {
    model: request.model,
    profile: dialect.defaultProfile,
  })
  const asked = query === '' ? path : `${path}?${query}`
  return fetch(`${url}${dialect.baseVersion ?? '/v1'}${asked}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function read(response: Response, upstream: UpstreamDialect): Promise<HubResponse | undefined> {
  const reply = plainReply('claude-test', upstream.defaultProfile)
  const collector = collectAnswer({ upstream, reply, messageId: 'read' })
  collector.push(new Uint8Array(await response.arrayBuffer()))
  collector.end()
  expect(collector.failure).toBeUndefined()
  return collector.message
}
