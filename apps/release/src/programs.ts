import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url))

/** A program that people install. */
export interface ReleasedProgram {
  /** What is typed to start it. */
  readonly command: string
  /** Its package, and the folder of that below the root. */
  readonly name: string
  readonly folder: string
}

/** The programs: the proxy and the tape harness. */
export const PROGRAMS: readonly ReleasedProgram[] = [
  { command: 'hydra', name: '@hydra/proxy', folder: 'apps/proxy' },
  { command: 'hydra-tape', name: '@hydra/harness', folder: 'apps/harness' },
]

/** What a package.json says that matters here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Reads the package.json of a folder below the root. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(`${ROOT}/${folder}/package.json`, 'utf8')) as Manifest
}
