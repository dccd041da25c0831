import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../http/free-port.ts'
import { eventually } from '../eventually.ts'

/** A server to be run in a process of its own: a file, or code as if it were a file of that folder. */
export interface ServerProgram {
  /** The folder it runs in. */
  readonly folder: URL
  readonly file?: string
  readonly code?: string
  readonly env: Readonly<Record<string, string>>
}

/** A server in a process of its own. */
export interface RunningServer {
  readonly origin: string
  /** Everything it has printed. */
  readonly output: string
  /** Asks it to end and gives its exit code. */
  stop(): Promise<number | null>
}

/** Runs a server that listens on the port of its environment, and waits until it says that it does. */
export async function runServer({ folder, file, code, env }: ServerProgram): Promise<RunningServer> {
  const port = await freePort()
  const program = file === undefined ? ['--input-type=module-typescript', '--eval', code ?? ''] : [file]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, program, {
    cwd: fileURLToPath(folder),
    env: { PATH, NODE_COMPILE_CACHE, ...env, PORT: String(port) },
  })
  const exited = once(child, 'exit')
  let output = ''
  const listen = (text: string): void => void (output += text)
  child.stdout.setEncoding('utf8').on('data', listen)
  child.stderr.setEncoding('utf8').on('data', listen)
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the server ended:\n${output}`)
    return output.includes(String(port))
  }, `a server on port ${port} that says so`)
  return {
    origin: `http://127.0.0.1:${port}`,
    get output() {
      return output
    },
    async stop() {
      child.kill('SIGTERM')
      const [exitCode] = (await exited) as [number | null]
      return exitCode
    },
  }
}
