import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleTypes } from './bundle-types.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(PACKAGE, 'dist')

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * The package as it is published: one script per entry and what entries share, and the types that can be reached from
 * them. As hundreds of small modules it would take three times its size on a disk, which gives whole blocks to files.
 */
async function build(): Promise<void> {
  const { exports, dependencies } = JSON.parse(
    readFileSync(join(PACKAGE, 'package.json'), 'utf8'),
  ) as Manifest
  const entries = Object.values(exports).map((path) => resolve(PACKAGE, path))
  rmSync(DIST, { recursive: true, force: true })
  emitTypes()
  await bundleTypes(join(DIST, 'index.d.ts'))
  keepReachable(entries.map((entry) => typesOf(entry)))
  await bundle(entries, Object.keys(dependencies))
}

function emitTypes(): void {
  const args = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly']
  const { status } = spawnSync('tsc', args, { cwd: PACKAGE, stdio: 'inherit' })
  if (status !== 0) throw new Error('the types cannot be written')
}

async function bundle(entries: readonly string[], dependencies: readonly string[]): Promise<void> {
  const input = Object.fromEntries(entries.map((entry) => [nameOf(entry), entry]))
  const bundled = await rolldown({
    input,
    platform: 'neutral',
    external: (id) => dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
  })
  await bundled.write({ dir: DIST, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
  await bundled.close()
}

/** The name of a source below `src`, without its ending. */
function nameOf(source: string): string {
  return source.slice(join(PACKAGE, 'src').length + 1).replace(/\.ts$/, '')
}

function typesOf(source: string): string {
  return join(DIST, `${nameOf(source)}.d.ts`)
}

/** Removes the types that no entry leads to. */
function keepReachable(entries: readonly string[]): void {
  const reachable = new Set<string>()
  for (const entry of entries) visit(entry, reachable)
  for (const { name, parentPath, isFile } of filesOf(DIST)) {
    if (isFile && !reachable.has(join(parentPath, name))) rmSync(join(parentPath, name))
  }
  removeEmptyFolders(DIST)
}

const IMPORTED = /(?:from |import\()['"](\.[^'"]+)['"]/g

function visit(types: string, seen: Set<string>): void {
  if (seen.has(types)) return
  if (!existsSync(types)) throw new Error(`there is no ${types}, but types refer to it`)
  seen.add(types)
  for (const [, path = ''] of readFileSync(types, 'utf8').matchAll(IMPORTED)) {
    visit(resolve(dirname(types), path.replace(/\.[jt]s$/, '.d.ts')), seen)
  }
}

function filesOf(folder: string): readonly { name: string; parentPath: string; isFile: boolean }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    name: entry.name,
    parentPath: entry.parentPath,
    isFile: entry.isFile(),
  }))
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true })
}

await build()
