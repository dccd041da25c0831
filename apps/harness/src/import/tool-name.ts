import { readFileSync } from 'node:fs'

/** What the header of an imported tape names as its writer. */
export function toolName(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(file) as { version: string }
  return `hydra-tape/${version}`
}
