import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoUpstream, startDemoUpstream } from './demo-upstream.ts'

let demo: DemoUpstream
beforeAll(async () => {
  demo = await startDemoUpstream()
})
afterAll(() => demo.close())

test.each(['', 'no JSON', 'null', '{}', '{"messages":1}', '{"stream":true}'])(
  'what is no chat request is refused, and hurts nobody: %j',
  async (body) => {
    expect((await fetch(`${demo.url}/chat/completions`, { method: 'POST', body })).status).toBe(400)
  },
)

test('it answers in chunks and in one piece', async () => {
  const messages = [{ role: 'user', content: 'Hi' }]
  const ask = async (stream: boolean): Promise<string> => {
    const body = JSON.stringify({ messages, stream })
    return (await fetch(`${demo.url}/chat/completions`, { method: 'POST', body })).text()
  }
  expect(await ask(true)).toMatch(/^data: \{.*\}\n\n[\s\S]*data: \[DONE\]\n\n$/)
  expect(JSON.parse(await ask(false))).toMatchObject({
    choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: expect.any(Number) as number },
  })
})
