import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { testedProgram } from '@hydra/release/tested-program'

/** What a run of the program came to. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** How the program is run. */
export interface RunOptions {
  readonly folder?: string
  /** Variables beside the path of programs. */
  readonly env?: Readonly<Record<string, string>>
  /** Is given the process as soon as it runs. */
  readonly started?: (child: ChildProcessWithoutNullStreams) => void
}

/** Runs `hydra-tape` in a process of its own. */
export async function runMain(
  args: readonly string[],
  { folder, env, started }: RunOptions = {},
): Promise<Ran> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [testedProgram('hydra-tape'), ...args], {
    ...(folder !== undefined && { cwd: folder }),
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  })
  const ran = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (ran.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (ran.err += text))
  started?.(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...ran }
}
