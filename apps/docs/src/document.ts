/** A text in Markdown, and what it is called in messages: its path in the repository or on the site. */
export interface Document {
  readonly path: string
  readonly text: string
}

/** The part of a document below a heading of a level, without the heading; empty if there is none. */
export function sectionOf(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 1
  const [, below = ''] = `\n${text}`.split(`\n${heading}\n`)
  const end = below.search(new RegExp(`^#{1,${level}} `, 'm'))
  return (end === -1 ? below : below.slice(0, end)).trim()
}

/** The rows of the first table of a text, cell by cell, without the line below its head. */
export function tableOf(text: string): readonly (readonly string[])[] {
  const rows = /(?:^\|.*\|$\n?)+/m.exec(text)?.[0].trim().split('\n') ?? []
  return rows
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((_, index) => index !== 1)
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A block of shell commands; with a reason for not running them in a test if there is one. */
export function shell(lines: readonly string[], whyNot?: string): string {
  const mark = whyNot === undefined ? '' : ` no-test="${whyNot}"`
  return `\`\`\`sh${mark}\n${lines.join('\n')}\n\`\`\``
}

/** The first heading of a document. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}
