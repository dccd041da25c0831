import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { nearest } from '@hydra/core/did-you-mean'
import { UsageError } from './usage-error.ts'

/** One option of a command, as it is parsed and as the help shows it. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: boolean
  /** The placeholder for its value in the help: `NAME`. */
  readonly value?: string
  /** What it does, for the help. */
  readonly text?: string
  /** The environment variable that does the same. */
  readonly variable?: string
}

/** The options of a command, by name. */
export type OptionTable = Readonly<Record<string, OptionSpec>>

/** The values of a table's options; what was not typed is not there. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: ValueOf<Table[Name]>
}

type ValueOf<Spec extends OptionSpec> = Spec extends { readonly type: 'boolean' }
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : string

/** What a command understands. */
export interface Grammar<Table extends OptionTable> {
  /** The whole name, `hydra serve`: messages point to its help. */
  readonly command: string
  readonly options: Table
}

/** What was typed after the name of a command. */
export interface ParsedArguments<Table extends OptionTable> {
  readonly values: OptionValues<Table>
  readonly positionals: readonly string[]
}

/** Parses options and words in any order; a mistake is a `UsageError` that never quotes a value: it may be a key. */
export function parseArguments<Table extends OptionTable>(
  args: readonly string[],
  grammar: Grammar<Table>,
): ParsedArguments<Table> {
  const { values, positionals, tokens } = tokenize(args, grammar.options)
  for (const token of tokens) if (token.kind === 'option') checkOption(token, grammar)
  return { values: { ...values } as OptionValues<Table>, positionals }
}

/** What was typed in front of another program's command line, and that command line. */
export interface LeadingOptions<Table extends OptionTable> {
  readonly values: OptionValues<Table>
  readonly rest: readonly string[]
}

/** Parses the options in front of the first word or of `--`; what follows belongs to another program. */
export function parseLeadingOptions<Table extends OptionTable>(
  args: readonly string[],
  grammar: Grammar<Table>,
): LeadingOptions<Table> {
  const own = leadingOptions(args, grammar.options)
  const { values } = parseArguments(own, grammar)
  return { values, rest: args.slice(args[own.length] === '--' ? own.length + 1 : own.length) }
}

/** The arguments in front of the first word or of `--`. */
export function leadingOptions(args: readonly string[], options: OptionTable): readonly string[] {
  const end = tokenize(args, options).tokens.find(({ kind }) => kind !== 'option')
  return args.slice(0, end?.index)
}

/** Takes the options of a table out of the arguments; all others stay, for a parser that knows them. */
export function takeOptions<Table extends OptionTable>(
  args: readonly string[],
  grammar: Grammar<Table>,
): LeadingOptions<Table> {
  const indexes = tokenize(args, grammar.options).tokens.flatMap((token) => {
    if (token.kind !== 'option' || !Object.hasOwn(grammar.options, token.name)) return []
    const isApart = token.value !== undefined && !token.inlineValue
    return isApart ? [token.index, token.index + 1] : [token.index]
  })
  const taken = new Set(indexes)
  const own = args.filter((_, index) => taken.has(index))
  const { values } = parseArguments(own, grammar)
  return { values, rest: args.filter((_, index) => !taken.has(index)) }
}

type Tokenized = ReturnType<
  typeof parseArgs<{
    args: string[]
    options: ParseArgsOptionsConfig
    allowPositionals: true
    strict: false
    tokens: true
  }>
>
type OptionToken = Extract<Tokenized['tokens'][number], { kind: 'option' }>

/** Not strict: the checks are ours, because Node's messages quote what was typed and suggest nothing. */
function tokenize(args: readonly string[], options: OptionTable): Tokenized {
  const known = Object.entries(options).map(([name, { type, short, multiple = false }]) => [
    name,
    { type, multiple, ...(short === undefined ? {} : { short }) },
  ])
  return parseArgs({
    args: [...args],
    options: Object.fromEntries(known) as ParseArgsOptionsConfig,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
}

function checkOption(
  { name, rawName, value, inlineValue }: OptionToken,
  grammar: Grammar<OptionTable>,
): void {
  const spec = Object.hasOwn(grammar.options, name) ? grammar.options[name] : undefined
  if (spec === undefined) throw new UsageError(unknownOption(rawName, grammar))
  if (spec.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`--${name}: it takes no value`)
    return
  }
  if (value === undefined) throw new UsageError(`--${name}: expected a value, got none`)
  // An unset variable in a shell script must not switch something off silently.
  if (value === '') throw new UsageError(`--${name}: expected a value, got an empty one`)
  if (!inlineValue && value.startsWith('-') && value !== '-') {
    throw new UsageError(
      `--${name}: expected a value, got an option; a value that begins with - is typed --${name}=VALUE`,
    )
  }
}

function unknownOption(typed: string, { command, options }: Grammar<OptionTable>): string {
  const meant = nearest(typed.replace(/^-+/, ''), [...Object.keys(options), 'help', 'version'])
  const hint = meant === undefined ? `see ${command} --help` : `did you mean --${meant}?`
  return `unknown option ${typed}; ${hint}`
}

/** A whole number of at least 0 that was typed as an option; the default if none was. */
export function wholeNumber(name: string, typed: string | undefined, usual: number): number {
  if (typed === undefined) return usual
  const value = Number(typed)
  if (/^\d+$/.test(typed) && Number.isSafeInteger(value)) return value
  throw new UsageError(`--${name}: expected a whole number, got '${typed}'`)
}

/** One of a few words that was typed as an option; the first one if none was. */
export function oneOf<Word extends string>(
  name: string,
  typed: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  const [usual] = words
  const word = typed === undefined ? usual : words.find((known) => known === typed)
  if (word !== undefined) return word
  throw new UsageError(`--${name}: expected ${words.join(', ')}, got '${typed}'`)
}
