import type { HubError } from '../hub/error.ts'
import { isFinal } from './retry-headers.ts'

/** Whether an error is of a kind that another try may not meet. */
export function mayPass(error: HubError): boolean {
  if (error.shouldRetry === false || isFinal(error)) return false
  return error.status >= 500 && error.kind !== 'rate_limit_error'
}

/** The words after which agents ask again: several look for an overload at the beginning of the message. */
export function overloadWords(message: string): string {
  return /^overloaded/i.test(message) ? message : `Overloaded: ${message}`
}
