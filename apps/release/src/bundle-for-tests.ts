import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleProgram } from './bundle-program.ts'
import { manifestOf, PROGRAMS, type ReleasedProgram, ROOT } from './programs.ts'
import type { TestedPrograms } from './tested-program.ts'

/**
 * What vitest does before the tests of a package that start programs: a bundle starts in half the time that hundreds of
 * sources take. It is made in every run, so it is never older than they are; `HYDRA_TEST_SOURCES=1` starts the sources.
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

/**
 * The file is always the same one, for what Node keeps of its compilation, and two packages may be tested at once: it is
 * replaced in one step. It is in its own package, where what it does not bring along is found.
 */
async function bundled(program: ReleasedProgram): Promise<string> {
  const cache = join(ROOT, program.folder, 'node_modules/.cache/programs')
  mkdirSync(cache, { recursive: true })
  const own = mkdtempSync(join(cache, 'new-'))
  try {
    const made = await bundleProgram(program, own)
    const file = join(cache, basename(made))
    renameSync(made, file)
    return file
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
