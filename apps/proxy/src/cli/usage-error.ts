/** A mistake of whoever typed the command: told in one line, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
