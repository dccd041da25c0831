import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { runCommandLine } from '../src/cli/run-command-line.ts'
import { exchange } from './exchanges.ts'
import { recordTape, temporaryFolder } from './record-tape.ts'
import { type Ran } from './run-main.ts'
import { surroundings } from './surroundings.ts'

/** Runs a command as the script of the repository does: elsewhere than where it was typed. */
async function runTypedIn(folder: string, ...args: readonly string[]): Promise<Ran> {
  const env = { npm_package_name: 'hydra', npm_lifecycle_event: 'tape', INIT_CWD: folder }
  const around = surroundings({ env, signal: AbortSignal.timeout(20_000) })
  const code = await runCommandLine(COMMANDS, args, around)
  return { code, ...around.written }
}

function folderWithTape(): string {
  const folder = temporaryFolder()
  recordTape([exchange()], join(folder, 'mine'))
  return folder
}

test.for([
  ['regress', 'mine', '--update'],
  ['chaos', 'mine', '--runs', '5', '--sockets', '0', '--limit', '10'],
  ['show', 'mine'],
  ['scan', 'mine'],
  ['verify', 'mine'],
])('%j takes its tape from where it was typed', async (args) => {
  expect(await runTypedIn(folderWithTape(), ...args)).toMatchObject({ code: 0, err: '' })
})

test('files are written where the command was typed', async () => {
  const folder = folderWithTape()
  await runTypedIn(folder, 'show', 'mine', '--html', 'page.html')
  await runTypedIn(folder, 'regress', 'mine', '--junit', 'report.xml')
  await runTypedIn(folder, 'shrink', 'mine', '--out', 'small')
  for (const name of ['page.html', 'report.xml', 'small']) expect(existsSync(join(folder, name))).toBe(true)
})

test.for([
  ['drive', '../none', '--to', 'http://127.0.0.1:1'],
  ['serve', '../none'],
  ['import', '../none', '--out', 'x'],
])('%j looks where it was typed', async (args) => {
  const below = join(temporaryFolder(), 'below')
  mkdirSync(below)
  const { code, err } = await runTypedIn(below, ...args)
  expect(code).toBe(2)
  expect(err).toContain(join(below, '../none'))
})

test('in a clone the commands that are printed name the script', async () => {
  const folder = folderWithTape()
  const { out } = await runTypedIn(folder, 'regress', 'mine')
  expect(out).toContain(`pnpm tape regress --update ${join(folder, 'mine')} writes it`)
  expect((await runTypedIn(folder, 'chaos')).err).toBe('hydra-tape: which tape? see pnpm tape chaos --help\n')
  expect((await runTypedIn(folder, 'record', '--bogus')).err).toContain('see pnpm hydra serve --help\n')
  const help = (await runTypedIn(folder, 'drive', '--help')).out
  expect(help).toContain('  pnpm tape serve fixtures')
  expect(help).toContain('  pnpm hydra serve --target-url')
  expect(help).not.toMatch(/^ +hydra/m)
})
