import { expect, onTestFinished, test } from 'vitest'
import { RawConnection } from '../http/raw-connection.ts'
import { collectEvents, textOf } from '../http/server-event.ts'
import { readmeServer } from '../server/readme-server.ts'
import { type RunningServer, runServer, type ServerProgram } from '../server/run-server.ts'
import { type ScriptedUpstream, startUpstream } from '../upstream/start-upstream.ts'
import { answer } from '../upstream/turn.ts'
import { askStream, expectError, messagesRequest, post } from './client.ts'

const LONGEST = 15

const CLIENT_KEY = 'key-of-the-client'

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

  test('the example lets in who has the key, as Claude Code sends it', async () => {
    const { origin } = await startServer({ folder, file: 'example/server.ts' }, { CLIENT_KEY })
    const request = messagesRequest()
    await expectError(await post(`${origin}/llm/v1/messages`, request), 401, 'authentication_error')
    for (const headers of [{ authorization: `Bearer ${CLIENT_KEY}` }, { 'x-api-key': CLIENT_KEY }]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await post(`${origin}/llm/v1/messages`, request, headers)).status).toBe(200)
    }
  })
}

type Program = Omit<ServerProgram, 'env'>

async function expectServer(program: Program): Promise<void> {
  const server = await startServer(program)
  const { origin, upstream } = server
  expect(textOf(await collectEvents(await askStream(`${origin}/llm`)))).toBe('Hello')
  expect(upstream.seen[0]?.headers.authorization).toBe('Bearer sk-any')
  expect((await fetch(`${origin}/`)).status).toBe(200)
  await expectNoStrangers(`${origin}/llm/health`)
  expect(await server.stop(), server.output).toBe(0)
}

async function startServer(
  program: Program,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer & { readonly upstream: ScriptedUpstream }> {
  const upstream = await startUpstream(answer({ text: 'Hello' }))
  onTestFinished(() => upstream.close())
  const env = { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-any', ...settings }
  const server = await runServer({ ...program, env })
  onTestFinished(async () => void (await server.stop()))
  return Object.assign(server, { upstream })
}

/** A page from elsewhere must not reach a server on its visitor's machine, not under a name of its own either. */
async function expectNoStrangers(url: string): Promise<void> {
  for (const headers of [{ host: 'elsewhere.test' }, { origin: 'https://elsewhere.test' }]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const connection = await RawConnection.open(url)
    connection.send({ method: 'GET', url, headers: { ...headers, connection: 'close' } })
    // oxlint-disable-next-line no-await-in-loop
    await connection.until('HTTP/1.1 403 ')
    connection.leave()
  }
}
