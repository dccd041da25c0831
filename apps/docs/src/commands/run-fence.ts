import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { typedCommand } from './typed-command.ts'
import type { World } from './world.ts'

/** Types the commands of a block one after the other, as a reader would; servers run until the block is over. */
export async function runLines(lines: readonly string[], world: World): Promise<void> {
  const servers: Started[] = []
  const env = { ...world.env }
  try {
    for (const line of lines) {
      const [, exported] = /^export (\w+=\S+)$/.exec(line) ?? []
      if (exported !== undefined) Object.assign(env, typedCommand(exported).env)
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are typed
      else await runLine(line, { env, folder: world.folder, servers })
    }
  } finally {
    await Promise.all(servers.map(stop))
  }
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
}

interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly servers: Started[]
}

async function runLine(typed: string, { env, folder, servers }: Place): Promise<void> {
  const line = withNames(typed, servers.at(-1)?.url)
  const child = spawn('sh', ['-c', isServer(typed) ? `exec ${assignmentsApart(line)}` : line], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
        if (found !== undefined) resolve(found)
      })
    }
  })
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`${typed}\nended with ${code}:\n${output}`)
  })
  if (isServer(typed)) {
    servers.push({ child, url: await Promise.race([url, ended]) })
    ended.catch(() => {})
    return
  }
  await ended.catch((error: unknown) => {
    if (child.exitCode !== 0) throw error
  })
}

/** `exec` takes no variables in front of a command, `env` does. */
function assignmentsApart(line: string): string {
  return /^[A-Z_]+=/.test(line) ? `env ${line}` : line
}

/** What documents leave open: a tape's name, and the port of a server. */
function withNames(line: string, url: string | undefined): string {
  const named = line.replaceAll(/(?<=\s)tapes\/…/g, 'tapes/session')
  return url === undefined ? named : named.replaceAll(/http:\/\/127\.0\.0\.1:(?:3456|…)/g, url)
}

/** Whether a command runs until it is stopped. */
export function isServer(line: string): boolean {
  const { program, args } = typedCommand(line)
  return ['hydra', 'hydra-tape'].includes(program) && args[0] === 'serve'
}

async function stop({ child }: Started): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
