/** A mistake in what the user typed or configured: printed in one line, without a stack trace; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
