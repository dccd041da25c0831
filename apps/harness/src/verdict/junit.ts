import { writeFileSync } from 'node:fs'
import { typedPath, UsageError } from '@hydra/cli'
import type { Surroundings } from '../command.ts'

/** Cases that belong together: those of a tape. */
export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/** Something that was looked at. */
export interface JunitCase {
  readonly name: string
  /** What is wrong with it, in a line and in full. */
  readonly failure?: { readonly message: string; readonly text: string } | undefined
  /** Why it was left out. */
  readonly skipped?: string | undefined
}

/** Results as a JUnit report. */
export function junitReport(command: string, suites: readonly JunitSuite[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hydra-tape ${command}">\n${suites.map(suiteOf).join('')}</testsuites>\n`
}

/** Writes the report if one was asked for. */
export function writeJunit(
  typed: string | undefined,
  report: () => string,
  { env }: Pick<Surroundings, 'env'>,
): void {
  if (typed === undefined) return
  try {
    writeFileSync(typedPath(typed, env), report())
  } catch (thrown) {
    throw new UsageError(`--junit: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

function suiteOf({ name, cases }: JunitSuite): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`
  const lines = cases.map((one) => caseOf(name, one)).join('')
  return `  <testsuite name="${escaped(name)}" ${counts}>\n${lines}  </testsuite>\n`
}

function caseOf(suite: string, { name, failure, skipped }: JunitCase): string {
  return `    <testcase classname="${escaped(suite)}" name="${escaped(name)}">${contentOf({ failure, skipped })}</testcase>\n`
}

function contentOf({ failure, skipped }: Omit<JunitCase, 'name'>): string {
  if (skipped !== undefined) return `<skipped message="${escaped(skipped)}"/>`
  if (failure === undefined) return ''
  return `<failure message="${escaped(failure.message)}">${escaped(failure.text)}</failure>`
}

/** What XML cannot hold at all. */
// oxlint-disable-next-line no-control-regex -- these are the characters that must go
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
}
