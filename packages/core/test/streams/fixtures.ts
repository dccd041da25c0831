import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnswerSetup } from './translator.ts'

const FOLDER = fileURLToPath(new URL('../../../../fixtures/streams/', import.meta.url))
const FIXTURE = /^([a-z0-9-]+)\.(sse|json)$/

/** One captured answer of an upstream, and what the client's request said. */
export interface StreamFixture {
  readonly name: string
  /** The body as it came: events, or one JSON document. */
  readonly bytes: Uint8Array
  readonly setup: AnswerSetup
}

/** What a fixture is expected to become. */
export interface Golden {
  /** The bytes that an Anthropic client gets. */
  readonly sse: string
  /** What they add up to. */
  readonly json: string
}

/** All answers in `fixtures/streams`, or in a folder of it for another dialect than Chat Completions, by name. */
export function streamFixtures(folder = ''): StreamFixture[] {
  const matches = readdirSync(FOLDER + folder)
    .toSorted()
    .map((file) => FIXTURE.exec(file))
  return matches
    .filter((match) => match !== null)
    .map(([file, name]) => loadFixture(file, name ?? file, folder))
}

/** One answer by its name. */
export function streamFixture(name: string): StreamFixture {
  return loadFixture(existsSync(`${FOLDER}${name}.sse`) ? `${name}.sse` : `${name}.json`, name)
}

/**
 * What a fixture is expected to become. With `UPDATE_GOLDENS=1` in the environment what came out is
 * written down first: read every golden that changed before you commit it.
 */
export function golden(name: string, actual: Golden): Golden {
  const files = { sse: `${FOLDER}${name}.expected.sse`, json: `${FOLDER}${name}.expected.json` }
  if (process.env['UPDATE_GOLDENS'] === '1') {
    writeFileSync(files.sse, actual.sse)
    writeFileSync(files.json, actual.json)
  }
  return { sse: readFileSync(files.sse, 'utf8'), json: readFileSync(files.json, 'utf8') }
}

/** The same for the bytes that a client of another dialect gets. */
export function clientGolden(file: string, actual: string): string {
  const path = `${FOLDER}${file}`
  if (process.env['UPDATE_GOLDENS'] === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  return readFileSync(path, 'utf8')
}

function loadFixture(file: string, name: string, folder = ''): StreamFixture {
  const options = `${FOLDER}${folder}${name}.options.json`
  return {
    name,
    bytes: new Uint8Array(readFileSync(FOLDER + folder + file)),
    setup: existsSync(options) ? (JSON.parse(readFileSync(options, 'utf8')) as AnswerSetup) : {},
  }
}
