import { expect, test } from 'vitest'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { stage } from './scene.ts'

/** Written as no serializer writes it: spaces, escapes, numbers that JavaScript does not keep. */
const BODY =
  '{ "model":"claude-test","temperature":1.0, "seed":12345678901234567890,\n"messages":[{"role":"user","content":"\\u00fc ü"}],"max_tokens":100}'

/** A route may pass requests on as they are. */
export function passingTests(bind: Bind): void {
  for (const parsesBody of [false, true]) {
    // A parser may leave only values, which are written anew.
    const promise = parsesBody ? 'with its values behind a body parser' : 'byte for byte'
    test(`a request is passed on ${promise}`, async () => {
      const { url, upstream } = await stage(bind, answer({ text: 'Hello' }), {
        parsesBody,
        gateway: { routes: [{ name: 'through', upstream: 'scripted', passthrough: true }] },
      })
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer of-the-client' },
        body: BODY,
      })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
      const [seen] = upstream.seen
      expect(seen?.headers.authorization).toBe('Bearer of-the-client')
      expect(seen?.body).toEqual(JSON.parse(BODY))
      if (!parsesBody) expect(seen?.text).toBe(BODY)
    })
  }
}
