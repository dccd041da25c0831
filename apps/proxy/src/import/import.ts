import { readFileSync, writeFileSync } from 'node:fs'
import { didYouMean, parseArguments, typedPath, UsageError, visibleText } from '@hydra/cli'
import { parse as parseJsonc, type ParseError } from 'jsonc-parser'
import { fromCcr } from './from-ccr.ts'
import { fromLitellm } from './from-litellm.ts'
import { IMPORT_OPTIONS } from './import-options.ts'
import type { Imported } from './imported.ts'

/** How each format is read, and how one of its files is told from others. */
const FORMATS: Readonly<Record<string, { read(value: unknown): Imported; readonly needs: string }>> = {
  ccr: { read: fromCcr, needs: 'Providers' },
  litellm: { read: fromLitellm, needs: 'model_list' },
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'expected a file, got a folder',
}

/** `hydra import`: writes a configuration of another program as one of ours. */
export async function importConfig(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, { command: 'hydra import', options: IMPORT_OPTIONS })
  const [name, typed, more] = positionals
  if (name === undefined || typed === undefined) {
    throw new UsageError('hydra import needs a format and a file; see hydra import --help')
  }
  if (more !== undefined) throw new UsageError(`hydra import takes one file, got '${more}' as well`)
  const names = Object.keys(FORMATS)
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  if (format === undefined) {
    const hint = didYouMean(name, names)
    throw new UsageError(
      `expected ${names.join(' or ')}, got '${name}'${hint === undefined ? '' : `; ${hint}`}`,
    )
  }
  const file = typedPath(typed, process.env)
  const value = await parsed(file)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, format.needs)) {
    throw new UsageError(`${file}: expected a configuration of ${name}, with ${format.needs}`)
  }
  write(format.read(value), values.out)
  return 0
}

function write({ config, notes }: Imported, out: string | undefined): void {
  const text = `${JSON.stringify(config, undefined, 2)}\n`
  for (const note of notes) process.stderr.write(`hydra: ${visibleText(note)}\n`)
  if (out === undefined) {
    process.stdout.write(text)
    return
  }
  const file = typedPath(out, process.env)
  try {
    // What is there already may be somebody's work.
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new UsageError(`${file}: ${isThere ? 'it is there already' : 'it cannot be written'}`)
  }
  process.stderr.write(`hydra: ${file} is written; see what it does with hydra check --config ${file}\n`)
}

/** YAML; JSON with comments is read by our own reader, which YAML's would not. */
async function parsed(file: string): Promise<unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new UsageError(`${file}: ${UNREADABLE[code] ?? 'it cannot be read'}`)
  }
  if (text.trimStart().startsWith('{')) {
    const errors: ParseError[] = []
    const value = parseJsonc(text, errors, { allowTrailingComma: true }) as unknown
    if (errors.length > 0) throw new UsageError(`${file}: it is not JSON`)
    return value
  }
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
    throw new UsageError(`${file}: it is not YAML: ${reason}`)
  }
}
