import { shortId } from './block-words.ts'
import type { ExplainedMessage, ExplainedOutput, Explanation } from './explanation.ts'
import type { ExplainedBlock } from './follow-blocks.ts'
import type { Destination } from './output-places.ts'
import { plainText } from '../log/plain-text.ts'

/** A row of the table: what came, where it went, and what was noted about it. */
type Row = readonly [left: string, right: string]

/** The account of a translation as a table for a person. */
export function explanationText(explanation: Explanation): string {
  const { source, dialect, profile, model, input, output, notes, findings, loops } = explanation
  const sections = [
    [
      `${plainText(source)}: ${input.length} messages became ${output.length}`,
      `for ${dialect}, profile ${plainText(profile)}, model ${plainText(model)}`,
    ],
    ['in, and where it went', ...indented(columns(inputRows(explanation), ' → '))],
    ['out, and what it is made of', ...indented(columns(outputRows(output), ' ← '))],
    list(
      'repaired, merged, moved, dropped or added',
      notes.map(({ code, path, message }) => `${code} at ${path || 'the request'}: ${message}`),
    ),
    list(
      'wrong with the history as it came',
      findings.map(({ code, message }) => `${code}: ${message}`),
    ),
    ...(loops.length === 0 ? [] : [list('running in circles', loops)]),
  ]
  return sections.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [`${title}: nothing`] : [title, ...indented(lines.map(plainText))]
}

function inputRows({ system, input, output }: Explanation): Row[] {
  const rows = (blocks: readonly ExplainedBlock[]): Row[] => blocks.map((block) => blockRow(block, output))
  return [...rows(system), ...input.flatMap((message) => [messageRow(message), ...rows(message.blocks)])]
}

function messageRow({ index, role, blocks, notes }: ExplainedMessage): Row {
  const nothing = blocks.length === 0 ? ' (empty)' : ''
  return [`[${index}] ${plainText(role)}${nothing}${notes.length === 0 ? '' : `: ${notes.join(', ')}`}`, '']
}

function blockRow(
  { label, type, words, fate, to, notes }: ExplainedBlock,
  output: readonly ExplainedOutput[],
): Row {
  const left = `  ${label} ${plainText(type)} ${words}`.trimEnd()
  const codes = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return [left, `${FATES[fate] ?? to.map((place) => placeName(place, output)).join(' and ')}${codes}`]
}

const FATES: Readonly<Partial<Record<ExplainedBlock['fate'], string>>> = {
  dropped: 'nowhere: dropped',
  blank: 'nowhere: it says nothing',
  unknown: 'not followed',
}

function placeName({ path, message, part }: Destination, output: readonly ExplainedOutput[]): string {
  if (message === undefined) return path
  const role = output[message]?.role ?? ''
  return `[${message}] ${role}${part === undefined || part === 'content' ? '' : ` ${part}`}`
}

function outputRows(output: readonly ExplainedOutput[]): Row[] {
  return output.map((message) => [
    `[${message.index}] ${message.role}: ${contentOf(message)}`,
    message.from.length === 0 ? 'made up, see below' : message.from.join(', '),
  ])
}

function contentOf({ role, blocks, calls, results, answers }: ExplainedOutput): string {
  const answered = answers.length === 0 ? '' : ` (of ${answers.map(shortId).join(', ')})`
  if (role === 'tool') return `result${answered}`
  // Where calls and results are blocks, they have been counted as such.
  const parts = [
    ...Object.entries(blocks).map(([type, number]) => `${number} ${type}`),
    ...(blocks['tool_use'] === undefined ? counted(calls, 'call') : []),
    ...(blocks['tool_result'] === undefined ? counted(results, 'result') : []),
  ]
  return `${parts.join(', ') || 'empty'}${answered}`
}

function counted(number: number, word: string): string[] {
  return number === 0 ? [] : [`${number} ${word}${number === 1 ? '' : 's'}`]
}

/** The right column begins at one place, unless a row would push it out of sight. */
const WIDEST = 90

function columns(rows: readonly Row[], arrow: string): string[] {
  const widths = rows.filter(([, right]) => right !== '').map(([left]) => Array.from(left).length)
  const width = Math.min(WIDEST, Math.max(0, ...widths))
  return rows.map(([left, right]) => {
    const gap = ' '.repeat(Math.max(0, width - Array.from(left).length))
    return right === '' ? left : `${left}${gap}${arrow}${right}`
  })
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
