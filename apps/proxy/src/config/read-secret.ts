import { readFileSync } from 'node:fs'
import type { Environment } from '@hydra/cli'
import { Secret } from '@hydra/gateway'

/** The secret that `env:NAME` or `file:/PATH` stands for, or what is wrong with it. */
export function readSecret(reference: string, env: Environment): Secret | string {
  if (!reference.startsWith('file:')) {
    const variable = reference.replace(/^env:/, '')
    const value = env[variable]
    return value ? new Secret(value) : `the environment variable ${variable} is not set`
  }
  const path = reference.slice('file:'.length)
  try {
    // Editors and `echo` end a file with a line break that is no part of the key.
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? `the file ${path} is empty` : new Secret(value)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return `the file ${path} cannot be read (${code})`
  }
}
