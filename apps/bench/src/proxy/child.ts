import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Account, AccountQuestion } from './accounting.ts'

/** A process under measurement, listening on a port. */
export interface Child {
  readonly port: number
  account(question?: AccountQuestion): Promise<Account>
  stop(): Promise<void>
}

/** A minute, for a machine that is busy with other work. */
const READY_ATTEMPTS = 600

/** A script that listens on the port it is given. */
export interface Script {
  readonly file: URL
  readonly argsFor: (port: number) => readonly string[]
  /** What Node itself is given. */
  readonly flags?: readonly string[]
}

/** Starts a script, and waits until it listens. */
export async function startChild({ file, argsFor, flags = [] }: Script): Promise<Child> {
  const port = await freePort()
  const accounting = new URL('accounting.ts', import.meta.url)
  const child = fork(fileURLToPath(file), argsFor(port), {
    execArgv: ['--expose-gc', '--import', accounting.href, ...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await untilListening(port, child)
  return { port, account: (question = 'account') => accountOf(child, question), stop: () => stop(child) }
}

async function accountOf(child: ChildProcess, question: AccountQuestion): Promise<Account> {
  const answer = once(child, 'message') as Promise<[Account]>
  child.send(question)
  return (await answer)[0]
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A port of the loopback interface that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < READY_ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`a process ended before it listened on ${port}`)
    try {
      // oxlint-disable-next-line no-await-in-loop
      await fetch(`http://127.0.0.1:${port}/health`)
      return
    } catch {
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error(`nothing listens on ${port}`)
}
