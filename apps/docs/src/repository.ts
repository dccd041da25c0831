import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Everything that is written for people, and not for the history of a version. */
export function documentPaths(): readonly string[] {
  return globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', '{apps,packages,examples}/*/README.md'], {
    cwd: ROOT,
  }).toSorted()
}
