import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { HubError } from '../../src/hub/error.ts'
import type { ChatProfileName } from './upstream-limits.ts'
import { encode } from './encode.ts'

/** The folder of requests and their goldens. */
export const FOLDER: URL = new URL('../../../../fixtures/requests/', import.meta.url)

/** A request of the fixtures, the upstream it goes to, and the file that says what becomes of it. */
export interface GoldenCase {
  readonly name: string
  readonly profile: ChatProfileName
  readonly model: string
  readonly golden: string
}

interface Options {
  readonly targets: readonly { readonly profile: ChatProfileName; readonly model: string }[]
}

const DEFAULT: Options = { targets: [{ profile: 'openai', model: 'gpt-4o' }] }

/** Every request of the fixtures with every upstream that it names. */
export function goldenCases(): GoldenCase[] {
  return requestNames().flatMap((name) => {
    const { targets } = optionsOf(name)
    return targets.map(({ profile, model }) => {
      const suffix = targets.length === 1 ? '' : `.${profile}.${model.replaceAll('/', '-')}`
      return { name, profile, model, golden: `${name}${suffix}.expected.json` }
    })
  })
}

/** The names of all requests. */
export function requestNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => /^[a-z0-9-]+\.json$/.test(file))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted()
}

function optionsOf(name: string): Options {
  const file = `${name}.options.json`
  return existsSync(new URL(file, FOLDER)) ? (readJson(file) as Options) : DEFAULT
}

/** A file of the fixtures, parsed. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

/** What becomes of a request: a body and notes, or the error that the client gets instead. */
export function outcome({ name, profile, model }: GoldenCase): unknown {
  try {
    const { body, notes } = encode(readJson(`${name}.json`), { profile, model })
    return JSON.parse(JSON.stringify({ body, notes }))
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return { error: { kind: error.kind, status: error.status, path: error.path, message: error.message } }
  }
}
