import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const ROOT = mkdtempSync(join(tmpdir(), 'hydra-test-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

/** A folder that is gone after the tests of a file. */
export function temporaryFolder(): string {
  return mkdtempSync(join(ROOT, 'folder-'))
}

/** Writes a configuration into a folder of its own, and says where it is. */
export function configFile(content: object | string, name: string = 'hydra.config.json'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return file
}
