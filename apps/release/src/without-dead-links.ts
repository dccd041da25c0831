import { posix } from 'node:path'

/** Where a text is, and what is beside it. */
export interface Surroundings {
  /** Its folder below the root of the repository. */
  readonly folder: string
  /** Whether a file is in the package as well. */
  isThere(this: void, path: string): boolean
  /** Where the repository can be read, if that is known. */
  readonly address: string | undefined
}

const LINK = /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g

/**
 * A text whose links work in a package: what is not in it is in the repository. Where that is not known, a link becomes
 * its words and the name of the file.
 */
export function withoutDeadLinks(text: string, { folder, isThere, address }: Surroundings): string {
  return text.replaceAll(LINK, (whole, picture: string, words: string, target: string) => {
    const [path = '', anchor] = target.split('#')
    if (/^[a-z]+:/.test(target) || path === '' || isThere(path)) return whole
    const file = posix.normalize(posix.join(folder, path))
    const end = anchor === undefined ? '' : `#${anchor}`
    if (address !== undefined)
      return `${picture}[${words}](${address}/${picture === '' ? 'blob' : 'raw'}/HEAD/${file}${end})`
    return picture === '' ? `${words} (\`${file}\` in the repository)` : words
  })
}
