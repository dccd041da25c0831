import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files in a folder that only this user can read, until they are removed. */
export class TemporaryFiles {
  #folder: string | undefined

  /** Writes a file below the folder, and gives its path. */
  write(name: string, text: string): string {
    const path = this.#path(name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }

  /** Makes a symbolic link below the folder; its target stays when the link is removed. */
  link(name: string, target: string): void {
    symlinkSync(target, this.#path(name))
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  #path(name: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'hydra-run-'))
    const path = join(this.#folder, name)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
}
