import { mkdirSync } from 'node:fs'
import { typedPath } from '@hydra/cli'
import { bundleProgram } from './bundle-program.ts'
import { PROGRAMS } from './programs.ts'

/** `pnpm bundle FOLDER`: each program as one file. */
const folder = typedPath(process.argv[2] ?? 'dist', process.env)
mkdirSync(folder, { recursive: true })
for (const program of PROGRAMS) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other takes less memory
  process.stdout.write(`${await bundleProgram(program, folder)}\n`)
}
