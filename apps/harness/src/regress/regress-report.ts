import { basename } from 'node:path'
import { type JunitCase, junitReport, type JunitSuite } from '../verdict/junit.ts'
import type { ExchangeResult, Finding, RegressResult, TapeResult } from './regress-result.ts'

/** A result as a JUnit report: a suite for each tape, a case for each exchange. */
export function regressReport({ tapes }: RegressResult): string {
  return junitReport('regress', tapes.map(suiteOf))
}

function suiteOf({ folder, exchanges, findings }: TapeResult): JunitSuite {
  const cases = exchanges.map(caseOf)
  const itself = { name: 'the tape itself', failure: failureOf(findings) }
  return { name: basename(folder), cases: findings.length > 0 ? [...cases, itself] : cases }
}

function caseOf({ number, through, outcome, reason = '', findings }: ExchangeResult): JunitCase {
  const name = `exchange ${number} through ${through}`
  if (outcome === 'skipped') return { name, skipped: reason }
  return findings.length > 0 ? { name, failure: failureOf(findings) } : { name }
}

function failureOf(findings: readonly Finding[]): NonNullable<JunitCase['failure']> {
  const message = findings.map((finding) => finding.message).join('; ')
  const text = findings.map(({ message: words, diff }) => (diff === undefined ? words : `${words}\n${diff}`))
  return { message, text: text.join('\n') }
}
