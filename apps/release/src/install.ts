import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isAtLeast, nodePackage } from '../../../packages/cli/src/start-program.ts'
import { bundleInParts } from './bundle-program.ts'
import { explained, npm, type NpmOptions, parseInstall, userTools } from './npm.ts'
import { manifestOf, PROGRAMS, type ReleasedProgram, ROOT } from './programs.ts'

const HELP = `pnpm install-hydra: hydra and hydra-tape everywhere on this machine

Usage
  pnpm install-hydra [--prefix DIR]

Bundles both programs, packs them as @hydra/proxy and @hydra/harness, and has npm install them globally. The same
command again, after git pull, upgrades them; pnpm uninstall-hydra removes them. Where the machine's Node is too old for
them, a newer one is installed beside them that only they use.

Options
  --prefix DIR  where npm installs; default its own global folder. The programs are in DIR/bin then
  -h, --help    this text

Examples
  npx -y pnpm@12.18.0 install-hydra
  npx -y pnpm@12.18.0 install-hydra --prefix ~/.local
`

/** `pnpm install-hydra`. */
async function install(options: NpmOptions): Promise<number> {
  if (options.prefix !== undefined && !canHold(options.prefix)) {
    return fail(`--prefix: nothing can be written to ${options.prefix}`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'hydra-install-'))
  try {
    const tarballs: string[] = []
    for (const program of PROGRAMS) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other takes less memory
      tarballs.push(await pack(program, folder))
    }
    say(`npm installs ${PROGRAMS.map(({ name }) => name).join(' and ')}`)
    const { status, stderr } = npm(['install', '--global', ...tarballs], options)
    if (status !== 0) return fail(explained(stderr, 'install-hydra'))
    return tryPrograms(options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a folder is there, or can be, and takes files. */
function canHold(folder: string): boolean {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Node and npm can make the folders above one as well, but never end where the system has no room for any, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** A package with a bundle in place of all that its program is made of, and no dependencies but a Node where one is needed. */
async function pack(program: ReleasedProgram, into: string): Promise<string> {
  const { command, name, folder } = program
  const { version, description, license, engines } = manifestOf(folder)
  const own = join(into, command)
  const dist = join(own, 'dist')
  mkdirSync(dist, { recursive: true })
  await bundleInParts(program, dist)
  // The schema is for editors.
  const files = ['README.md', 'CHANGELOG.md', 'hydra.schema.json'].filter((file) =>
    existsSync(join(ROOT, folder, file)),
  )
  for (const file of files) copyFileSync(join(ROOT, folder, file), join(own, file))
  copyFileSync(join(ROOT, 'LICENSE'), join(own, 'LICENSE'))
  const bin = { [command]: `./dist/${command}.mjs` }
  // hydra-tape finds the one beside hydra.
  const dependencies = command === 'hydra' ? neededNode(engines.node.replace('>=', '')) : {}
  const manifest = { name, version, description, license, type: 'module', bin, dependencies }
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest, undefined, 2))
  const { status, stderr } = npm(['pack', '--pack-destination', into], { cwd: own })
  if (status !== 0) throw new Error(stderr)
  return join(into, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

/** The Node of this repository, if the machine's own is too old. */
function neededNode(least: string): Record<string, string> {
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env: userTools() })
  const version = stdout?.trim().replace('v', '') ?? ''
  if (isAtLeast(version, least)) return {}
  const own = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as RootManifest).devDependencies
    .node
  say(
    `this machine has Node ${version || 'none'}, and ${least} is needed: Node ${own} comes along, only for hydra`,
  )
  return { [nodePackage()]: own }
}

interface RootManifest {
  readonly devDependencies: { readonly node: string }
}

/** Runs what was installed, and says how it is reached. */
function tryPrograms(options: NpmOptions): number {
  const prefix = npm(['prefix', '--global'], options).stdout.trim()
  const folder = process.platform === 'win32' ? prefix : join(prefix, 'bin')
  for (const { command } of PROGRAMS) {
    const program = join(folder, process.platform === 'win32' ? `${command}.cmd` : command)
    const { status, stdout, stderr } = spawnSync(program, ['--version'], {
      encoding: 'utf8',
      env: userTools(),
      shell: process.platform === 'win32',
    })
    if (status !== 0) return fail(`${program} does not start: ${stderr ?? ''}`)
    process.stdout.write(stdout)
  }
  const isFound = (userTools()['PATH'] ?? '').split(delimiter).includes(folder)
  say(isFound ? 'now from any folder: hydra run claude' : `put ${folder} into PATH, then: hydra run claude`)
  return 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): number {
  process.stderr.write(`install-hydra: ${text.trim()}\n`)
  return 1
}

const options = parseInstall('install-hydra', HELP)
if (options !== undefined) process.exitCode = await install(options)
