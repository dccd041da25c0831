import type { ErrorKind, HubError } from '../hub/error.ts'
import { upstreamError } from './upstream-error.ts'
import { isJsonObject } from '../json/json-object.ts'
import { jsonIn } from '../json/wire.ts'
import type { UpstreamFailure } from '../dialects/dialect.ts'

/** What errors of Amazon's services mean, by their names in lower case, without `Exception` or `Error`. */
const KIND_OF_NAME: Readonly<Record<string, ErrorKind>> = {
  throttling: 'rate_limit_error',
  toomanyrequests: 'rate_limit_error',
  servicequotaexceeded: 'rate_limit_error',
  validation: 'invalid_request_error',
  serialization: 'invalid_request_error',
  unknownoperation: 'not_found_error',
  accessdenied: 'permission_error',
  unrecognizedclient: 'authentication_error',
  expiredtoken: 'authentication_error',
  missingauthenticationtoken: 'authentication_error',
  conflict: 'conflict_error',
  resourcenotfound: 'not_found_error',
  internalserver: 'api_error',
  internalfailure: 'api_error',
  modelstream: 'api_error',
  modeltimeout: 'timeout_error',
  serviceunavailable: 'overloaded_error',
  invalidstate: 'api_error',
}

/** Reasons that tell more than the name of the error beside them. */
const KIND_OF_REASON: Readonly<Record<string, ErrorKind>> = {
  INSUFFICIENT_MODEL_CAPACITY: 'overloaded_error',
  // Waiting a minute does not help against the limit of a month.
  MONTHLY_REQUEST_COUNT: 'billing_error',
}

const OVERFLOW_REASON = 'CONTENT_LENGTH_EXCEEDS_THRESHOLD'

/** An error as far as it was read: its name, its words and its reason. */
interface ErrorReading {
  readonly name: string
  readonly message: string
  readonly reason: string
}

/** An HTTP answer with an error status, as the error for the client. */
export function decodeError({ status, headers, body }: UpstreamFailure): HubError {
  const reading = readPayload(jsonIn(body) ?? body)
  // Older services name the error in a header, with an address behind it.
  const name = reading.name || bareName(headers['x-amzn-errortype'] ?? '')
  return toError({ ...reading, name }, { status, headers })
}

/** An exception in a stream, or an error in place of an answer, as the error for the client. */
export function decodeErrorPayload(payload: unknown, name = ''): HubError {
  const reading = readPayload(payload)
  return toError({ ...reading, name: bareName(name) || reading.name }, {})
}

/** Whether a whole body is an error. */
export function isErrorPayload(body: unknown): boolean {
  const { name, message } = readPayload(body)
  return name !== '' || message !== ''
}

function toError(
  { name, message, reason }: ErrorReading,
  { status, headers }: Partial<Pick<UpstreamFailure, 'status' | 'headers'>>,
): HubError {
  const kind = known(KIND_OF_REASON, reason) ?? known(KIND_OF_NAME, name)
  return upstreamError({
    message,
    labels: [name, reason].filter((label) => label !== ''),
    headers,
    kind,
    // Services of this family answer with 400 to almost everything, so a name tells more than the status.
    status: kind === undefined ? status : undefined,
    ...(reason === OVERFLOW_REASON && { overflow: {} }),
  })
}

function readPayload(payload: unknown): ErrorReading {
  if (typeof payload === 'string') return { name: '', message: payload, reason: '' }
  const fields = isJsonObject(payload) ? payload : {}
  const { __type: type, code, message, Message: capitalised, reason } = fields
  return {
    name: bareName(textOf(type) || textOf(code)),
    message: textOf(message) || textOf(capitalised),
    reason: textOf(reason),
  }
}

/** `com.amazon.service#ThrottlingException:http://…` is a throttling error. */
function bareName(type: string): string {
  const [beforeAddress = ''] = type.split(':', 1)
  const name = beforeAddress.slice(beforeAddress.lastIndexOf('#') + 1)
  return name.replace(/(?:Exception|Error)$/i, '').toLowerCase()
}

/** A name is the upstream's to choose: `constructor` must not find what every object has. */
function known(table: Readonly<Record<string, ErrorKind>>, name: string): ErrorKind | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
