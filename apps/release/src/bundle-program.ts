import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { sourceCommit } from '../../../packages/cli/src/version-line.ts'
import { inlinedFiles, inlinedViewer, lateBuiltins } from './bundle-plugins.ts'
import { type ReleasedProgram, ROOT } from './programs.ts'

/** What a program can do without, and whoever wants it brings it along. */
const EXTERNAL = /^(?:express|fastify|hono|@hono\/.*|@hydra\/adapter-.*|msw|vitest)(?:\/|$)/

/** Writes a program as one file that needs nothing but Node, and gives its path. */
export async function bundleProgram({ command, folder }: ReleasedProgram, into: string): Promise<string> {
  const build = await rolldown({
    input: join(ROOT, folder, 'src/bin.ts'),
    platform: 'node',
    external: EXTERNAL,
    // The other form of jsonc-parser asks for its parts when it runs.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [lateBuiltins(), inlinedFiles(), inlinedViewer()],
    transform: { target: 'es2022', define: { HYDRA_BUILD: JSON.stringify(sourceCommit(ROOT)) } },
  })
  const file = join(into, `${command}.mjs`)
  await build.write({ file, format: 'esm', codeSplitting: false, minify: { mangle: false, compress: false } })
  await build.close()
  chmodSync(file, 0o755)
  return file
}
