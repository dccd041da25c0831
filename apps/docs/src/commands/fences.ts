import type { Document } from '../document.ts'

/** A block of shell commands in a document. */
export interface Fence {
  /** The document that it is in. */
  readonly path: string
  readonly line: number
  /** Its commands, without comments and with broken lines joined. */
  readonly lines: readonly string[]
  /** Why no test runs it, as the document itself says: `sh no-test="needs a key"`. */
  readonly whyNot: string | undefined
}

/** The blocks of shell commands in a document. */
export function shellFences({ path, text }: Document): readonly Fence[] {
  return [...text.matchAll(/^( *)```(?:sh|bash|shell|console)\b(.*)\n([^]*?)^\1```$/gm)].map(
    ({ 2: attributes = '', 3: block = '', index }) => ({
      path,
      line: text.slice(0, index).split('\n').length,
      lines: commandsOf(block),
      whyNot: /no-test="([^"]+)"/.exec(attributes)?.[1],
    }),
  )
}

/** Commands that stand in a sentence or a table and begin with one of the programs. */
export function inlineCommands({ path, text }: Document): readonly { place: string; line: string }[] {
  const prose = text.replaceAll(/^( *)```[^]*?^\1```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  return [
    ...prose.matchAll(/(?<!`)`((?:[A-Z_]+=\S+ )*(?:hydra|hydra-tape|npx -y pnpm@\S+|pnpm) [^`\n]+)`/g),
  ].map(({ 1: line = '', index }) => ({ place: `${path}:${prose.slice(0, index).split('\n').length}`, line }))
}

function commandsOf(block: string): readonly string[] {
  return block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)#\s.*$/, '').trim())
    .filter((line) => line !== '')
}
