import type { UpstreamDialect, UpstreamFailure } from '../dialects/dialect.ts'
import { HubError } from '../hub/error.ts'

/** How much of an error's body is read, in characters. */
export const MAX_ERROR_TEXT: number = 64 * 1024

/** The head of an upstream's answer. */
export type AnswerHead = Pick<UpstreamFailure, 'status' | 'headers'>

/** Whether an answer is an error with a body that says why. */
export function isReadableError({ status, headers }: AnswerHead): boolean {
  return status >= 400 && !isEncoded(headers)
}

/** The error for an answer that cannot be translated; undefined for one that can. The body is that of an error. */
export function refusedAnswer(
  { status, headers, body }: UpstreamFailure,
  { dialect, name }: { readonly dialect: Pick<UpstreamDialect, 'decodeError'>; readonly name: string },
): HubError | undefined {
  if (status >= 400) return dialect.decodeError({ status, headers, body: body.slice(0, MAX_ERROR_TEXT) })
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && !isEncoded(headers)) return undefined
  const reason = isSuccess
    ? `answered with content-encoding ${headers['content-encoding']}, which was not asked for`
    : `answered with status ${status}, which is not followed`
  return new HubError('api_error', `upstream ${name}: ${reason}`, { status: 502, shouldRetry: false })
}

/** Whether the body of an answer has to be decoded before it can be read. */
export function isEncoded({ 'content-encoding': encoding }: AnswerHead['headers']): boolean {
  return encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity'
}
