import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A folder that is gone after the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-test-'))
  folders.push(folder)
  return folder
}

/** What `test/setup.ts` does after the tests of each file. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** Writes a configuration into a folder of its own, and says where it is. */
export function configFile(content: object | string, name: string = 'hydra.config.json'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}
