/** One command as it was typed: the variables in front of it, the program and its arguments. */
export interface TypedCommand {
  readonly env: Readonly<Record<string, string>>
  readonly program: string
  readonly args: readonly string[]
}

/** What the scripts of a clone stand for. */
const SCRIPTS: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  start: ['hydra', 'serve'],
  hydra: ['hydra'],
  tape: ['hydra-tape'],
}

/** Reads a line of a shell as far as documents use one: variables, words, quotes. */
export function typedCommand(line: string): TypedCommand {
  const words = (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map(unquoted)
  const first = words.findIndex((word) => !/^[A-Z_a-z][\w]*=/.test(word))
  const variables = first === -1 ? words : words.slice(0, first)
  const env = Object.fromEntries(variables.map((word) => splitAt(word, word.indexOf('='))))
  const [program = '', ...args] = ofScript(first === -1 ? [] : words.slice(first))
  return { env, program, args }
}

/** `npx -y pnpm@12.18.0 tape show` and `pnpm tape show` are `hydra-tape show`. */
function ofScript(words: readonly string[]): readonly string[] {
  const plain = words[0] === 'npx' && words[2]?.startsWith('pnpm@') ? ['pnpm', ...words.slice(3)] : words
  const [program, ...rest] = plain
  if (program !== 'pnpm') return plain
  const name = rest.findIndex((word, index) => !word.startsWith('-') && !rest[index - 1]?.startsWith('-C'))
  const script = SCRIPTS[rest[name] ?? '']
  return script === undefined ? plain : [...script, ...rest.slice(name + 1)]
}

function unquoted(word: string): string {
  return word.replaceAll(
    /"([^"]*)"|'([^']*)'/g,
    (_, double?: string, single?: string) => double ?? single ?? '',
  )
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}
