import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleInParts } from './bundle-program.ts'
import { manifestOf, PROGRAMS, type ReleasedProgram, ROOT } from './programs.ts'
import type { TestedPrograms } from './tested-program.ts'

/**
 * What vitest does before the tests of a package that start programs: a bundle starts in less than half the time that
 * hundreds of sources take. It is made in every run, so it is never older than they are; `HYDRA_TEST_SOURCES=1` starts
 * the sources.
 */
export async function setup(project: TestProject): Promise<void> {
  const { name, dependencies } = manifestOf(relative(ROOT, project.config.root))
  const known = new Set([name, ...Object.keys(dependencies ?? {})])
  const files = PROGRAMS.filter((program) => known.has(program.name)).map(async (program) => {
    const isBundled = process.env['HYDRA_TEST_SOURCES'] !== '1'
    const file = isBundled ? await bundled(program) : join(ROOT, program.folder, 'src/main.ts')
    return [program.command, file] as const
  })
  const programs: TestedPrograms = Object.fromEntries(await Promise.all(files))
  project.provide('programs', programs)
}

/** What was not written for so long belongs to other sources, and nobody runs it any more. In milliseconds. */
const MAX_AGE = 86_400_000

/**
 * Two packages may be tested at once, so nothing that is run changes: parts are named after their content, and the file
 * that loads them comes last and in one step. It is in its own package, where what it does not bring along is found, and
 * has the same name again, for what Node keeps of its compilation.
 */
async function bundled(program: ReleasedProgram): Promise<string> {
  const cache = join(ROOT, program.folder, 'node_modules/.cache/programs')
  mkdirSync(cache, { recursive: true })
  for (const path of readdirSync(cache).map((name) => join(cache, name))) {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > MAX_AGE) rmSync(path, { recursive: true, force: true })
  }
  const own = mkdtempSync(join(cache, 'new-'))
  try {
    const entry = basename(await bundleInParts(program, own))
    const parts = readdirSync(own).filter((name) => name !== entry)
    for (const name of [...parts, entry]) renameSync(join(own, name), join(cache, name))
    return join(cache, entry)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
