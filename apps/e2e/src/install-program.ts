import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './processes.ts'

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/agents', import.meta.url))

const FLAGS = [
  '--no-audit',
  '--no-fund',
  '--ignore-scripts=false',
  '--fetch-retries=1',
  '--loglevel=error',
] as const

/** What npm says when it could not talk to the registry, as opposed to when it was told no. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|network/i

/** A program on npm, in one version. */
export interface ProgramOnNpm {
  readonly name: string
  /** The package that brings it. */
  readonly npm: string
  readonly version: string
}

/** The folder with a program, or why the program cannot be had now. */
export type Installed = { readonly programs: string } | { readonly missing: string }

const installing = new Map<string, Promise<Installed>>()

/** Finds a program in the cache, or fetches it from npm, once. */
export function installProgram(program: ProgramOnNpm, say: (line: string) => void): Promise<Installed> {
  const id = `${program.name}-${program.version}`
  const begun = installing.get(id) ?? findOrFetch(program, join(process.env['E2E_CACHE'] || CACHE, id), say)
  installing.set(id, begun)
  return begun
}

async function findOrFetch(
  { name, npm, version }: ProgramOnNpm,
  folder: string,
  say: (line: string) => void,
): Promise<Installed> {
  const programs = join(folder, 'node_modules', '.bin')
  if (await exists(join(programs, name))) return { programs }
  say(`${name} ${version}: fetching it from npm ...`)
  // Fetched beside its place and moved there, so that what is in place is always complete.
  const partial = `${folder}.partial-${process.pid}`
  await mkdir(partial, { recursive: true })
  try {
    const args = ['install', '--prefix', partial, ...FLAGS, `${npm}@${version}`]
    const { code, stderr } = await run({ file: 'npm', args, folder: partial, env: process.env })
    if (code !== 0 && UNREACHABLE.test(stderr)) {
      return { missing: stderr.trim().split('\n').slice(0, 3).join(' ') }
    }
    if (code !== 0) throw new Error(`npm could not install ${name} ${version}: ${stderr.trim()}`)
    await rename(partial, folder)
    return { programs }
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
