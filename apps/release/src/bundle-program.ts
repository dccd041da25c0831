import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import { sourceCommit } from '../../../packages/cli/src/version-line.ts'
import { inlinedFiles, inlinedViewer, lateBuiltins } from './bundle-plugins.ts'
import { type ReleasedProgram, ROOT } from './programs.ts'

/** What a program can do without, and whoever wants it brings it along. */
const EXTERNAL = /^(?:express|fastify|hono|@hono\/.*|@hydra\/adapter-.*|msw|vitest)(?:\/|$)/

/** Writes a program as one file that needs nothing but Node, and gives its path. */
export async function bundleProgram(program: ReleasedProgram, into: string): Promise<string> {
  const file = join(into, `${program.command}.mjs`)
  await bundle(program, { file, codeSplitting: false })
  chmodSync(file, 0o755)
  return file
}

/**
 * Writes a program as a file and the parts that it loads when they are needed, and gives the path of the file: it starts
 * in a third of the time of the one file, of which Node reads all. A part is named after its content.
 */
export async function bundleInParts(program: ReleasedProgram, into: string): Promise<string> {
  const name = `${program.command}.mjs`
  await bundle(program, { dir: into, entryFileNames: name, chunkFileNames: '[name]-[hash].mjs' })
  const file = join(into, name)
  chmodSync(file, 0o755)
  return file
}

async function bundle({ folder }: ReleasedProgram, output: OutputOptions): Promise<void> {
  const build = await rolldown({
    input: join(ROOT, folder, 'src/bin.ts'),
    platform: 'node',
    external: EXTERNAL,
    // The other form of jsonc-parser asks for its parts when it runs.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [lateBuiltins(), inlinedFiles(), inlinedViewer()],
    transform: { target: 'es2022', define: { HYDRA_BUILD: JSON.stringify(sourceCommit(ROOT)) } },
  })
  await build.write({ ...output, format: 'esm', minify: { mangle: false, compress: false } })
  await build.close()
}
