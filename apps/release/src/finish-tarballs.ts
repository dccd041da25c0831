import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { typedPath } from '@hydra/cli'
import { ROOT } from './programs.ts'
import { withoutDeadLinks } from './without-dead-links.ts'

/** The examples that go along with a package. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '@hydra/tape': ['vitest-msw-openai', 'vitest-use-tape-anthropic'],
}

interface PackedManifest {
  readonly name: string
  readonly version: string
}

/**
 * `node finish-tarballs.ts FOLDER`: what packed packages need for a registry and the repository does not say about
 * itself. Where it is comes from the variables of the release workflow, so that a fork names itself.
 */
function finish(tarball: string, folders: ReadonlyMap<string, string>): void {
  const work = mkdtempSync(join(tmpdir(), 'hydra-pack-'))
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', work])
    const root = join(work, 'package')
    const file = join(root, 'package.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as PackedManifest
    const folder = folders.get(manifest.name)
    if (folder === undefined) throw new Error(`${tarball}: no folder has the package ${manifest.name}`)
    copyExamples(manifest.name, root)
    const address = repository()
    if (address !== undefined) {
      const url = `git+${address}.git`
      const named = {
        ...manifest,
        repository: { type: 'git', url, directory: folder },
        homepage: `${address}#readme`,
      }
      writeFileSync(file, `${JSON.stringify(named, undefined, 2)}\n`)
    }
    for (const name of ['README.md', 'CHANGELOG.md']) {
      const path = join(root, name)
      if (!existsSync(path)) continue
      const isThere = (target: string): boolean => existsSync(join(root, target))
      writeFileSync(path, withoutDeadLinks(readFileSync(path, 'utf8'), { folder, isThere, address }))
    }
    execFileSync('tar', ['-czf', tarball, '-C', work, 'package'])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function copyExamples(name: string, root: string): void {
  for (const example of EXAMPLES[name] ?? []) {
    cpSync(join(ROOT, 'examples', example), join(root, 'examples', example), {
      recursive: true,
      filter: (source) => !/[\\/]node_modules(?:[\\/]|$)/.test(source),
    })
  }
}

/** Where the repository is, if a workflow says so. */
function repository(): string | undefined {
  const { GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: name } = process.env
  return name === undefined ? undefined : `${server}/${name}`
}

/** The folder of every package, by its name. */
function packageFolders(): ReadonlyMap<string, string> {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => posix.join(parent, name)),
  )
  const known = folders.filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
  return new Map(
    known.map((folder) => {
      const { name } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PackedManifest
      return [name, folder]
    }),
  )
}

const folder = typedPath(process.argv[2] ?? '.', process.env)
const folders = packageFolders()
for (const name of readdirSync(folder).filter((file) => file.endsWith('.tgz')))
  finish(join(folder, name), folders)
