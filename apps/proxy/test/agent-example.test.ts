import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createLoopGuard, type HubMessage, validate } from '@hydra/core'
import { type AgentTool, runAgent } from '@hydra/gateway/agent'
import { beforeAll, expect, test } from 'vitest'
import { closing } from './closing.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { temporaryFolder } from './temporary.ts'

const opened = closing()
const EXAMPLE = fileURLToPath(new URL('../../../examples/agent/agent.ts', import.meta.url))
const DOCUMENT = new URL('../../../docs/agent-loop.md', import.meta.url)

let hydra: Hydra
beforeAll(async () => {
  hydra = await opened(startHydra())
})

function user(content: string): HubMessage[] {
  return [{ role: 'user', content }]
}

test('the example agent finishes its task against the demo, in at most 40 lines', async () => {
  const folder = temporaryFolder()
  const out = temporaryFolder()
  await writeFile(join(folder, 'short.md'), 'two words')
  await writeFile(join(folder, 'long.md'), 'these are five words here')
  await writeFile(join(folder, 'image.png'), '')
  const { PATH = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, folder], {
    env: { PATH, HYDRA_URL: hydra.url, TMPDIR: out },
  })
  expect(await readFile(join(out, 'hydra-report.md'), 'utf8')).toBe('     5 long.md\n     2 short.md')
  expect(stdout).toContain('iteration_4 is over')
  expect(stdout).toContain('done after 4 turns')
  expect((await readFile(EXAMPLE, 'utf8')).trim().split('\n').length).toBeLessThanOrEqual(40)
})

test('the example of the document is the example that runs', async () => {
  expect(await readFile(DOCUMENT, 'utf8')).toContain(`\`\`\`ts\n${await readFile(EXAMPLE, 'utf8')}\`\`\``)
})

test('an agent works over 20 iterations through the proxy: every result arrives, and the history is legal', async () => {
  let count = 0
  const next: AgentTool = {
    name: 'next_number',
    input_schema: { type: 'object' },
    run: () => ({ number: (count += 1) }),
  }
  const result = await runAgent({
    send: hydra.url,
    model: 'claude-x',
    messages: user('Please call next_number 20 times'),
    tools: [next],
  })
  expect(result).toMatchObject({
    outcome: 'done',
    iterations: 21,
    text: expect.stringContaining('"number":20') as string,
  })
  expect(validate(result.conversation.messages)).toEqual([])
  const exported = result.conversation.toOpenAI().messages
  expect(exported.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual(
    Array.from({ length: 20 }, (_, index) => `{"number":${index + 1}}`),
  )
  expect(result.conversation.callIds.size).toBe(20)
  expect(result.usage.input_tokens).toBeGreaterThan(0)
  expect(result.notes).toEqual([])
})

test('a model that calls the same tool over and over is stopped, with words that say what repeated', async () => {
  const same: AgentTool = { name: 'look', input_schema: { type: 'object' }, run: () => 'nothing new' }
  const result = await runAgent({
    send: hydra.url,
    model: 'claude-x',
    messages: user('Please call look 20 times'),
    tools: [same],
    guard: createLoopGuard({ mode: 'stop', repeats: 3 }),
  })
  expect(result).toMatchObject({
    outcome: 'loop',
    trip: { tool: 'look', message: expect.stringContaining('look') as string },
  })
  expect(result.iterations).toBeLessThan(10)
})
