import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { testedProgram } from '@hydra/release/tested-program'
import { freePort } from '@hydra/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { driveCommand } from '../src/drive/drive-command.ts'
import { runMain } from './run-main.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Starts what an example leaves running, and waits for its first word. */
async function start([program = '', ...args]: readonly string[]): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [testedProgram(program), ...args], {
    cwd: ROOT,
    env: { PATH, NODE_COMPILE_CACHE },
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'close')
  })
  child.stderr.resume()
  await once(child.stdout, 'data')
}

test('the example of drive --help gives the recorded answers when it is typed', async () => {
  const [, example = ''] = driveCommand.help.split('\nExample\n')
  const ports = { 4000: await freePort(), 3456: await freePort() }
  const typed = example.replaceAll(/4000|3456/g, (port) => String(ports[Number(port) as keyof typeof ports]))
  const commands = typed.trim().split('\n')
  expect(commands).toHaveLength(3)
  for (const command of commands.filter((line) => line.endsWith('&'))) {
    // oxlint-disable-next-line no-await-in-loop -- the second one calls the first
    await start(command.replace('&', '').trim().split(' '))
  }
  const [, ...drive] = commands.at(-1)?.trim().split(' ') ?? []
  const { code, out } = await runMain(drive, { folder: ROOT })
  expect([code, out]).toEqual([
    0,
    'exchange 1: same\nexchange 2: same\npassed: 2 the same, 0 different, 0 skipped\n',
  ])
})
