/** A tape that cannot be written or read: the message names the file, the line if there is one, and the reason. */
export class TapeError extends Error {
  override readonly name = 'TapeError'
  readonly file: string
  /** The line of the file, from 1; 0 for what concerns no line. */
  readonly line: number
  readonly reason: string

  constructor({ file, line = 0, reason, cause }: TapeFault) {
    super(`${file}${line === 0 ? '' : `, line ${line}`}: ${reason}`, { cause })
    this.file = file
    this.line = line
    this.reason = reason
  }
}

/** What is wrong with a tape, and where. */
export interface TapeFault {
  readonly file: string
  readonly line?: number
  readonly reason: string
  readonly cause?: unknown
}

/** The reason of a failed system call in a few words, such as `no space left on device (ENOSPC)`. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { code } = thrown as NodeJS.ErrnoException
  if (code === undefined) return thrown.message
  // Node's own message goes on with the call and the path; the caller names the file.
  const words = /^[A-Z0-9]+: ([^,]+)/.exec(thrown.message)?.[1] ?? thrown.message
  return `${words} (${code})`
}
