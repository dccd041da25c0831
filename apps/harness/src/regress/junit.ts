import { basename } from 'node:path'
import type { ExchangeResult, Finding, RegressResult, TapeResult } from './regress-result.ts'

/** A result as a JUnit report: a suite for each tape, a case for each exchange. */
export function junitReport({ tapes }: RegressResult): string {
  const suites = tapes.map(suiteOf).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hydra-tape regress">\n${suites}</testsuites>\n`
}

function suiteOf({ folder, exchanges, findings }: TapeResult): string {
  const name = basename(folder)
  const cases = [
    ...exchanges.map((exchange) => caseOf(name, exchange)),
    ...(findings.length > 0 ? [testCase(name, 'the tape itself', failureOf(findings))] : []),
  ]
  const failures =
    exchanges.filter(({ outcome }) => outcome === 'different').length + (findings.length > 0 ? 1 : 0)
  const skipped = exchanges.filter(({ outcome }) => outcome === 'skipped').length
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`
  return `  <testsuite name="${escaped(name)}" ${counts}>\n${cases.join('')}  </testsuite>\n`
}

function caseOf(tape: string, { number, through, outcome, reason = '', findings }: ExchangeResult): string {
  const name = `exchange ${number} through ${through}`
  if (outcome === 'skipped') return testCase(tape, name, `<skipped message="${escaped(reason)}"/>`)
  return testCase(tape, name, findings.length > 0 ? failureOf(findings) : '')
}

function testCase(tape: string, name: string, content: string): string {
  return `    <testcase classname="${escaped(tape)}" name="${escaped(name)}">${content}</testcase>\n`
}

function failureOf(findings: readonly Finding[]): string {
  const message = findings.map((finding) => finding.message).join('; ')
  const text = findings.map(({ message: words, diff }) => (diff === undefined ? words : `${words}\n${diff}`))
  return `<failure message="${escaped(message)}">${escaped(text.join('\n'))}</failure>`
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
