import { expect, test } from 'vitest'
import { collectEvents, textOf } from '../http/server-event.ts'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askStream, askWhole, expectError, post } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello' })

const MOUNTS = [
  { prefix: '', path: '' },
  { prefix: '/llm', path: '/llm' },
  { prefix: '/api/any/llm', path: '/api/any/llm' },
  { prefix: '/:tenant/llm', path: '/acme%20inc/llm' },
] as const

/** The adapter lives beside the user's own routes, under any prefix, with or without a body parser. */
export function mountingTests(bind: Bind): void {
  for (const mount of MOUNTS) {
    for (const parsesBody of [false, true]) {
      const where = `${mount.prefix || '/'} ${parsesBody ? 'with' : 'without'} a body parser`
      test(`mounted at ${where} it answers beside the user's own routes`, async () => {
        const { url, origin } = await stage(bind, HELLO, { ...mount, parsesBody })
        const whole = await askWhole(url)
        expect(await whole.json()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] })
        expect(textOf(await collectEvents(await askStream(url)))).toBe('Hello')
        expect((await fetch(`${url}/health`)).status).toBe(200)
        await expectError(await fetch(`${url}/v1/nothing`), 404, 'not_found_error')
        expect(await (await fetch(`${origin}/own`)).text()).toBe('own')
        const echo = { text: 'Grüße', list: [1, 2] }
        expect(await (await post(`${origin}/own/echo`, echo)).json()).toEqual(echo)
      })
    }
  }

  test('what only begins like the prefix belongs to the user', async () => {
    const { origin, url } = await stage(bind, HELLO)
    const response = await fetch(`${origin}/llmx/health`)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('not_found_error')
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  test('a request that the framework has parsed is checked like any other', async () => {
    const { url } = await stage(bind, HELLO, { parsesBody: true })
    const { error } = await expectError(
      await askWhole(url, { messages: 'none' }),
      400,
      'invalid_request_error',
    )
    expect(error.message).toContain('messages')
  })
}
