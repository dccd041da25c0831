import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, expectPrinted } from '../expectations.ts'
import { UPSTREAM_KEY } from '../keys.ts'
import { type Outcome, run } from '../processes.ts'
import { MODEL, startProxy } from '../proxy.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { HARNESS, startTapeServer, type TapeServer } from '../tape-server.ts'
import { lastResults } from '../upstream/conversation.ts'

const ARGS = ['-p', 'Which number is it?', '--allowedTools', 'Bash']
const ANSWER = 'The tool said 4711.'

/**
 * A session is recorded, everything is stopped, and the tape alone is enough to have it again, also after the folder
 * has changed: Claude Code tells the model what git says about it.
 */
export const replay: Scenario = {
  name: 'replay',
  title: 'a recorded session runs again from its tape alone, in the place of the proxy and of the upstream',
  async play(stage) {
    const { upstream, claude, home, folder } = stage
    const recordings = join(folder, '..', 'recordings')
    await makeRepository(folder, home)
    upstream.play(({ body }) => {
      const [result] = lastResults(body)
      if (result !== undefined) return { text: `The tool said ${result.trim()}.` }
      return { calls: [{ name: 'Bash', arguments: { command: 'echo 4711', description: 'Says it' } }] }
    })
    const target = ['--target-url', upstream.url, '--model', MODEL]
    const command = [process.execPath, HARNESS, 'record', '--out', recordings, ...target, '--', 'claude']
    const recorded = await claude(ARGS, { command, env: { OPENAI_API_KEY: UPSTREAM_KEY } })
    expectPrinted(recorded, ANSWER)
    const tape = join(recordings, await onlyTapeIn(recordings))
    upstream.play(() => ({ text: 'nobody should ask' }))
    await writeFile(join(folder, 'new-since-then.txt'), 'git status tells of it\n')
    await again(await startTapeServer({ tape, as: 'proxy', home }), recorded, ({ url }) =>
      claude(ARGS, { env: { ANTHROPIC_BASE_URL: url } }),
    )
    await again(await startTapeServer({ tape, as: 'upstream', home }), recorded, ({ url }) =>
      throughProxy(stage, url),
    )
    expect(upstream.received.length === 0, 'the upstream was asked although there is a tape')
  },
}

async function makeRepository(folder: string, home: string): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: home }
  const { code, stderr } = await run({ file: 'git', args: ['init', '--quiet'], folder, env })
  expect(code === 0, `git init failed: ${stderr}`)
}

async function onlyTapeIn(recordings: string): Promise<string> {
  const names = await readdir(recordings)
  const [tape, ...others] = names.filter((name) => !name.startsWith('.'))
  expect(tape !== undefined && others.length === 0, `expected one tape, got ${names.join(', ')}`)
  return tape
}

/** Runs the session against a tape: it prints the same, and everything on the tape was asked for once. */
async function again(
  server: TapeServer,
  { stdout }: Outcome,
  session: (server: TapeServer) => Promise<Outcome>,
): Promise<void> {
  const outcome = await session(server)
  const { requests, misses, unused } = await server.stop()
  expect(misses === 0, `the tape has no answer: ${server.output}`)
  expectPrinted(outcome, ANSWER)
  expect(
    outcome.stdout === stdout,
    `expected ${JSON.stringify(stdout)}, got ${JSON.stringify(outcome.stdout)}`,
  )
  expect(requests > 0 && unused === 0, `${requests} requests, ${unused} recordings were not asked for`)
}

async function throughProxy({ claude, home }: Stage, url: string): Promise<Outcome> {
  const proxy = await startProxy(url, home)
  try {
    return await claude(ARGS, { env: { ANTHROPIC_BASE_URL: proxy.url } })
  } finally {
    await proxy.stop()
  }
}
