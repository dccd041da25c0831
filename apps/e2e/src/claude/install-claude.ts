import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../processes.ts'

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/claude-code', import.meta.url))

const INSTALL_SECONDS = 300

/** What npm says when it could not talk to the registry, as opposed to when it was told no. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|network/i

/** A version of Claude Code that can be run, or the reason why it cannot be had now. */
export type Installation =
  | { readonly version: string; readonly binary: string }
  | { readonly version: string; readonly unreachable: string }

/** Finds a version of Claude Code in the cache, or fetches it from npm. */
export async function installClaude(version: string, say: (line: string) => void): Promise<Installation> {
  const cache = process.env['E2E_CACHE'] || CACHE
  const folder = join(cache, version)
  if (!(await exists(programIn(folder)))) {
    say(`claude-code ${version}: fetching it from npm ...`)
    const unreachable = await fetchInto(folder, version)
    if (unreachable !== undefined) return { version, unreachable }
  }
  return { version, binary: programIn(folder) }
}

/** The version that a program says it has. */
export async function versionOf(binary: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const { stdout, stderr } = await run({ file: binary, args: ['--version'], folder: '/', env, seconds: 30 })
  const version = /^\d+\.\d+\.\d+/.exec(stdout)?.[0]
  if (version === undefined) throw new Error(`${binary} does not work: ${stdout}${stderr}`)
  return version
}

function programIn(folder: string): string {
  return join(folder, 'node_modules', '.bin', 'claude')
}

/** Fetches a version beside its place and moves it there, so that what is in place is always complete. */
async function fetchInto(folder: string, version: string): Promise<string | undefined> {
  const partial = `${folder}.partial-${process.pid}`
  await mkdir(partial, { recursive: true })
  try {
    const flags = [
      '--no-audit',
      '--no-fund',
      '--ignore-scripts=false',
      '--fetch-retries=1',
      '--loglevel=error',
    ]
    const { code, stderr, isTimeout } = await run({
      file: 'npm',
      args: ['install', '--prefix', partial, ...flags, `@anthropic-ai/claude-code@${version}`],
      folder: partial,
      env: process.env,
      seconds: INSTALL_SECONDS,
    })
    if (isTimeout) return `npm took more than ${INSTALL_SECONDS} s`
    if (code !== 0 && UNREACHABLE.test(stderr)) return stderr.trim().split('\n').slice(0, 3).join(' ')
    if (code !== 0) throw new Error(`npm could not install claude-code ${version}: ${stderr.trim()}`)
    const actual = await versionOf(programIn(partial))
    if (actual !== version) throw new Error(`npm was asked for claude-code ${version} and brought ${actual}`)
    await rename(partial, folder)
    return undefined
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
