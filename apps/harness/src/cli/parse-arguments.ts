import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from '../command.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given; allowPositionals: true; args: string[] }>
>

/** Reads what was typed after the name of a command; a mistake is a `UsageError` of one line. */
export function parseArguments<Given extends Options>(
  command: string,
  args: readonly string[],
  options: Given,
): Parsed<Given> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const unknown = /^Unknown option '([^']+)'/.exec(line)?.[1]
    const reason = unknown === undefined ? line : `unknown option ${unknown}`
    throw new UsageError(`${reason}; see hydra-tape ${command} --help`)
  }
}

/** A whole number of at least 0 that was typed as an option; the usual value if none was. */
export function wholeNumber(name: string, typed: string | undefined, usual: number): number {
  if (typed === undefined) return usual
  const value = Number(typed)
  if (/^\d+$/.test(typed) && Number.isSafeInteger(value)) return value
  throw new UsageError(`--${name}: expected a whole number, got '${typed}'`)
}

/** One of a few words that was typed as an option; the usual one if none was. */
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
