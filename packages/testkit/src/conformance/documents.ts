import { expect, onTestFinished, test } from 'vitest'
import { collectEvents, textOf } from '../http/server-event.ts'
import { readmeServer } from '../server/readme-server.ts'
import { runServer, type ServerProgram } from '../server/run-server.ts'
import { startUpstream } from '../upstream/start-upstream.ts'
import { answer } from '../upstream/turn.ts'
import { askStream } from './client.ts'

const LONGEST = 15

/** Runs what a package shows its users: the server of its README, and its example. */
export function documentTests(folder: URL): void {
  test(`the README's server is complete in ${LONGEST} lines, runs, and ends when it is asked to`, async () => {
    const code = await readmeServer(new URL('README.md', folder))
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(LONGEST)
    await expectServer({ folder, code })
  })

  test('the example runs, and ends when it is asked to', async () => {
    await expectServer({ folder, file: 'example/server.ts' })
  })
}

async function expectServer(program: Omit<ServerProgram, 'env'>): Promise<void> {
  const upstream = await startUpstream(answer({ text: 'Hello' }))
  onTestFinished(() => upstream.close())
  const env = { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-any' }
  const server = await runServer({ ...program, env })
  onTestFinished(async () => void (await server.stop()))
  expect(textOf(await collectEvents(await askStream(`${server.origin}/llm`)))).toBe('Hello')
  expect(upstream.seen[0]?.headers.authorization).toBe('Bearer sk-any')
  expect((await fetch(`${server.origin}/`)).status).toBe(200)
  expect(await server.stop(), server.output).toBe(0)
}
