import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testedProgram } from '@hydra/release/tested-program'
import { afterEach, expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { isRefused } from './raw-client.ts'
import { temporaryFolder } from './temporary.ts'

const SCRIPT = { npm_package_name: 'hydra', npm_lifecycle_event: 'start' }

let proxy: number | undefined

afterEach(() => {
  try {
    if (proxy !== undefined) process.kill(proxy, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
})

interface Started {
  readonly child: ChildProcess
  readonly port: number
  output(this: void): string
}

/** Starts the proxy behind programs that wait for each other and pass no signal on, as npx and pnpm do. */
async function startBehind(
  names: readonly string[],
  env: Record<string, string>,
  args: string[] = [],
): Promise<Started> {
  const folder = temporaryFolder()
  const serve = `"${process.execPath}" "${testedProgram('hydra')}" serve --port 0 ${args.join(' ')} & echo "pid $!"; wait`
  const first = names.reduceRight((command, name) => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\n${command}\n`)
    chmodSync(file, 0o755)
    return `"${file}" start & wait`
  }, serve)
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn('/bin/sh', ['-c', first.replace(/ & wait$/, '').replace(/^/, 'exec ')], {
    env: { PATH, HOME: folder, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const found = await eventually(
    () => /pid (\d+)[^]*listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(text) ?? undefined,
    'the banner',
  )
  proxy = Number(found[1])
  return { child, port: Number(found[2]), output: () => text }
}

function isGone(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0)
    return false
  } catch {
    return true
  }
}

test.each([[[]], [['--workers', '2']]])(
  'a package manager that is stopped and passes nothing on takes the proxy with it: %j',
  async (args) => {
    const { child, output } = await startBehind(['npx', 'pnpm'], SCRIPT, args)
    child.kill('SIGTERM')
    await eventually(() => isGone(proxy), 'the end')
    expect(output()).toContain('draining: streams may finish')
  },
)

test('a proxy that starts when npx was stopped already does not stay', async () => {
  const env = { ...SCRIPT, npm_execpath: '/home/ada/.npm/_npx/0d65/node_modules/pnpm/pnpm' }
  const { output } = await startBehind(['pnpm'], env)
  await eventually(() => isGone(proxy), 'the end')
  expect(output()).toContain('draining: streams may finish')
})

test('who is above the package manager may go, as with nohup', async () => {
  const { child, port } = await startBehind(['terminal', 'npx', 'pnpm'], SCRIPT)
  child.kill('SIGKILL')
  await eventually(() => isGone(child.pid), 'the end of the terminal')
  await lookedTwice()
  expect(await isRefused(port)).toBe(false)
})

test('an installed proxy stays when its shell is gone', async () => {
  const { child, port } = await startBehind(['npx'], {})
  child.kill('SIGKILL')
  await eventually(() => isGone(child.pid), 'the end of the shell')
  await lookedTwice()
  expect(await isRefused(port)).toBe(false)
})

/** Longer than the proxy takes to look twice: what has not happened by then does not happen. */
function lookedTwice(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1200))
}
