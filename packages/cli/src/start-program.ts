import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProcess } from './run-process.ts'

/** A program, and what it needs to run. */
export interface ProgramToStart {
  readonly name: string
  /** The address of its package.json, and what is in it. */
  readonly manifest: string | URL
  readonly manifestText: string
  /** Loads it, which is when it starts. */
  readonly load: () => Promise<unknown>
}

/** The variable with the path of another Node. */
const OTHER_NODE = 'HYDRA_NODE'

/**
 * Starts a program if this Node is new enough for it. Otherwise another Node starts it, if one was installed along with
 * it or is named; else one line says which is needed. An old Node has to run this file and what it imports, so neither
 * their syntax nor what they use may be younger than Node 16.
 */
export async function startProgram({ name, manifest, manifestText, load }: ProgramToStart): Promise<void> {
  const needed = (JSON.parse(manifestText) as { engines: { node: string } }).engines.node.replace('>=', '')
  if (isAtLeast(process.versions.node, needed)) {
    await load()
    return
  }
  const other = otherNode(dirname(fileURLToPath(manifest)))
  if (other === undefined) {
    process.stderr.write(
      `${name} needs Node ${needed} or newer, and this is Node ${process.versions.node} (${process.execPath}): install a newer one, or set ${OTHER_NODE} to its path\n`,
    )
    process.exitCode = 1
    return
  }
  // It is told once, so that one that is too old as well says so.
  const env = { ...process.env, [OTHER_NODE]: undefined }
  const args = [...process.execArgv, ...process.argv.slice(1)]
  process.exitCode = await runProcess({ program: other, args, env }).catch((error: Error) => {
    process.stderr.write(`${name}: ${other} cannot be started: ${error.message}\n`)
    return 1
  })
}

/** Whether a version is another one or comes after it. */
export function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const index = other.findIndex((part, place) => own[place] !== part)
  return index === -1 || (own[index] || 0) > (other[index] || 0)
}

/** The package of npm that brings Node for this machine. */
export function nodePackage(): string {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
}

/** A Node that was named, or installed with this program or with the one that it came with. */
function otherNode(folder: string): string | undefined {
  const named = process.env[OTHER_NODE]
  if (named) return named
  const file = join('node_modules', nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return [join(folder, file), join(folder, '..', 'proxy', file)].find((path) => existsSync(path))
}
