import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** A process that runs: whose child it is, and how it was started. */
export interface RunningProcess {
  readonly parent: number
  readonly command: string
}

/** Looks a process up; nothing if it is gone, or if this system has no way to ask. */
export async function processOf(pid: number): Promise<RunningProcess | undefined> {
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
  } catch {
    return undefined
  }
}

async function fromProc(pid: number): Promise<RunningProcess> {
  const [status, command] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ])
  const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])
  return { parent, command: command.replaceAll('\0', ' ').trim() }
}

/** As other systems tell it; Windows has no such program, and there a parent never changes. */
function fromPs(pid: number): Promise<RunningProcess> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-o', 'ppid=,command=', '-p', String(pid)], (error, text) => {
      const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(text) ?? []
      if (error !== null || parent === undefined) reject(error ?? new Error('unknown'))
      else resolve({ parent: Number(parent), command })
    })
  })
}
