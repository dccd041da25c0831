import {
  isJsonObject,
  type DialectName,
  type HubRequest,
  type Memory,
  plainCall,
  registry,
} from '@hydra/core'
import { callerOf, askedEndpoint, pathOf, queryOf, type TapedExchange, type TapedRequest } from '@hydra/tape'
import { parseBytes } from './json-text.ts'

/** A request as its dialect is read: in the hub's form if it can be, else as it is. */
export interface RequestReading {
  readonly request: TapedRequest
  readonly hub: HubRequest | undefined
  /** The JSON of the body, if it is some. */
  readonly body: Readonly<Record<string, unknown>>
  /** Why the proxy would refuse it, in its own words. */
  readonly trouble: string | undefined
}

/** Reads what was asked: by the client, or on a tape without one what the upstream was sent. */
export function readRequest(exchange: TapedExchange, memory: Memory): RequestReading | undefined {
  const { request, calls } = exchange
  if (request !== undefined) return read(request, { ...spokenBy(exchange), memory })
  const [call] = calls
  if (call === undefined) return undefined
  const found = askedEndpoint(call.request.path)
  const dialect = call.via?.dialect ?? found?.dialect
  const reading = read(call.request, { dialect, isCount: false, params: found?.params ?? {}, memory })
  return { ...reading, trouble: 'value' in parseBytes(call.request.body) ? undefined : reading.trouble }
}

interface Form {
  /** Undefined where it is not known. */
  readonly dialect: DialectName | undefined
  readonly isCount: boolean
  readonly params: Readonly<Record<string, string>>
  readonly memory: Memory
}

function spokenBy(exchange: TapedExchange): Omit<Form, 'memory'> {
  const { dialect, endpoint, params } = callerOf(exchange)
  const purpose = endpoint?.purpose ?? askedEndpoint(exchange.request?.path ?? '')?.endpoint.purpose
  const isRead = purpose === 'generate' || purpose === 'count'
  return { dialect: isRead ? dialect : undefined, isCount: purpose === 'count', params }
}

function read(request: TapedRequest, form: Form): RequestReading {
  const { dialect, isCount } = form
  const parsed = parseBytes(request.body)
  // A count is asked for on the side, and the caller can do without it.
  const troubleToShow = (trouble: string): string | undefined =>
    dialect === undefined || isCount ? undefined : trouble
  if ('trouble' in parsed)
    return { request, hub: undefined, body: {}, trouble: troubleToShow(parsed.trouble) }
  const body = isJsonObject(parsed.value) ? parsed.value : {}
  try {
    return { request, hub: decode(request, parsed.value, form), body, trouble: undefined }
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error)
    return { request, hub: undefined, body, trouble: troubleToShow(trouble) }
  }
}

/** The request in the hub's form; undefined where no dialect reads such requests. */
function decode(
  { method, path, headers }: TapedRequest,
  body: unknown,
  { dialect, isCount, params, memory }: Form,
): HubRequest | undefined {
  const client = dialect === undefined ? undefined : registry.get(dialect)?.client
  const query = queryOf(path)
  const call = plainCall(body, { method, path: pathOf(path), params, query, headers, memory })
  return (isCount ? client?.decodeCount?.(call) : client?.decodeRequest(call))?.request
}
