import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What is put in its place when a program becomes one file: what it was made of. */
declare const HYDRA_BUILD: string | undefined

/** What `--version` says: the version, what it was built from as far as that is known, and what runs it. */
export function versionLine(version: string, source: string | URL): string {
  const build = buildOf(source)
  const { platform, arch, versions } = process
  return `${version}${build === undefined ? '' : ` (${build})`}, Node ${versions.node}, ${platform} ${arch}`
}

function buildOf(source: string | URL): string | undefined {
  if (typeof HYDRA_BUILD !== 'undefined') return HYDRA_BUILD
  // A package says by its version what it is; sources change between two.
  if (!String(source).endsWith('.ts')) return undefined
  return sourceCommit(fileURLToPath(new URL('.', source)))
}

/** The commit of a clone, and whether its files differ from it. */
export function sourceCommit(folder: string): string {
  const args = ['-C', folder, 'describe', '--always', '--dirty=, changed', '--exclude=*']
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? `commit ${stdout.trim()}` : 'from its sources'
}
