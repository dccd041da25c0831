import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

/** A history in which one call was made five times, and said the same each time. */
const LOOP = [
  { role: 'user', content: 'go' },
  ...Array.from({ length: 5 }, (_, index) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'ls' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'a.ts' }] },
  ]).flat(),
]

test('with --loop-guard stop a model in circles is stopped, the client told why, and the log says so', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'once more' })))
  const hydra = await opened(
    startHydra(['--target-url', upstream.url, '--model', 'm', '--loop-guard', 'stop'], {
      OPENAI_API_KEY: 'k',
    }),
  )
  const message = (await (await post(hydra, { messages: LOOP })).json()) as { stop_reason: string }
  expect(message.stop_reason).toBe('end_turn')
  expect(JSON.stringify(message)).toContain(
    'Bash was called 5 times with the same input and brought nothing new',
  )
  expect(upstream.seen).toEqual([])
  await eventually(() => hydra.output().includes('loop: Bash 5 times, stopped'), 'the log line')
  expect(await (await post(hydra, { messages: LOOP.slice(0, -2) })).text()).toContain('once more')
})
