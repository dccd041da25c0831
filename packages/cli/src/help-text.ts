import type { OptionTable } from './parse-arguments.ts'

/** What the help of a command is made of. */
export interface Help {
  /** The first line: the name and what it is for. */
  readonly title: string
  /** How it is called, one line each. */
  readonly usage: readonly string[]
  /** What there is to know before the options. */
  readonly about?: string
  readonly options?: OptionTable
  /** Further sections, by heading. */
  readonly sections?: Readonly<Record<string, readonly string[]>>
  readonly examples: readonly string[]
}

const HELP_OPTION: OptionTable = { help: { type: 'boolean', short: 'h', text: 'this text' } }

/** The help of a command: its options come from the table that is parsed, so none can be missing. */
export function helpText({ title, usage, about, options, sections = {}, examples }: Help): string {
  const blocks = [
    title,
    section('Usage', usage),
    ...(about === undefined ? [] : [about]),
    section('Options', optionLines({ ...options, ...HELP_OPTION })),
    ...Object.entries(sections).map(([heading, lines]) => section(heading, lines)),
    section('Examples', examples),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Rows of two columns. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`.trimEnd())
}

function section(heading: string, lines: readonly string[]): string {
  return [heading, ...lines.map((line) => `  ${line}`)].join('\n')
}

function optionLines(options: OptionTable): readonly string[] {
  return columns(
    Object.entries(options).map(([name, { short, value, text = '', variable }]) => [
      `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
      variable === undefined ? text : `${text}  [${variable}]`,
    ]),
  )
}
