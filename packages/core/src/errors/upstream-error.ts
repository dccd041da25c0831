import { countedOverflow, type Overflow, overflowIn } from './context-overflow.ts'
import { HubError, STATUS_OF_KIND } from '../hub/error.ts'
import type { ErrorKind, Hide, OverflowCounts } from '../hub/error.ts'
import { retryAfterOf } from './retry-after.ts'
import { cleanWords } from './upstream-words.ts'

/** What an upstream said about a failure, read from its dialect. */
export interface UpstreamFacts {
  /** Its words, not yet cleaned. */
  readonly message: string
  /** The family, where the dialect names it as we do; the status is then kept as well. */
  readonly kind?: ErrorKind | undefined
  /** The HTTP status, or the one that the payload names. */
  readonly status?: number | undefined
  /** Its names for the error, the most telling first: codes, types. */
  readonly labels: readonly string[]
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /** The numbers of an overflow, where they came as fields. */
  readonly overflow?: OverflowCounts | undefined
}

/** The family of each status an upstream answers with; other 4xx are the request's fault, the rest is its own. */
const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  410: 'not_found_error',
  413: 'request_too_large',
  424: 'api_error', // TGI: the generation failed
  429: 'rate_limit_error',
  498: 'overloaded_error', // Groq: no capacity
  503: 'overloaded_error',
  529: 'overloaded_error',
}

/** OpenAI's names for a request that it will never answer, where they come in a stream: its pictures, its policies. */
const REFUSED_REQUESTS: readonly string[] = [
  'invalid_prompt',
  'data_residency_mismatch',
  'bio_policy',
  'cyber_policy',
  'misalignment_policy_violation',
  'invalid_image',
  'invalid_image_format',
  'invalid_base64_image',
  'invalid_image_url',
  'invalid_image_mode',
  'image_too_large',
  'image_too_small',
  'image_parse_error',
  'image_content_policy_violation',
  'image_file_too_large',
  'image_file_not_found',
  'unsupported_image_media_type',
  'empty_image_file',
  'failed_to_download_image',
]

/** The family of each name, for errors that come without a status: lower case, `_` between the words. */
const KIND_OF_LABEL: Readonly<Record<string, ErrorKind>> = {
  ...Object.fromEntries(REFUSED_REQUESTS.map((label) => [label, 'invalid_request_error'] as const)),
  invalid_request_error: 'invalid_request_error',
  invalid_argument: 'invalid_request_error',
  bad_request: 'invalid_request_error',
  badrequesterror: 'invalid_request_error',
  validation_error: 'invalid_request_error',
  tool_use_failed: 'invalid_request_error',
  content_filter: 'invalid_request_error',
  data_inspection_failed: 'invalid_request_error', // Alibaba: what the model says is filtered
  '1301': 'invalid_request_error', // Zhipu: the same
  authentication_error: 'authentication_error',
  authenticationerror: 'authentication_error',
  invalid_api_key: 'authentication_error',
  unauthorized: 'authentication_error',
  unauthenticated: 'authentication_error',
  permission_error: 'permission_error',
  permission_denied: 'permission_error',
  permissiondeniederror: 'permission_error',
  forbidden: 'permission_error',
  not_found_error: 'not_found_error',
  notfounderror: 'not_found_error',
  not_found: 'not_found_error',
  model_not_found: 'not_found_error',
  deploymentnotfound: 'not_found_error',
  conflict_error: 'conflict_error',
  request_too_large: 'request_too_large',
  rate_limit_exceeded: 'rate_limit_error',
  rate_limit_error: 'rate_limit_error',
  rate_limit_reached_error: 'rate_limit_error',
  ratelimiterror: 'rate_limit_error',
  ratelimitreached: 'rate_limit_error',
  resource_exhausted: 'rate_limit_error',
  too_many_requests: 'rate_limit_error',
  too_many_requests_error: 'rate_limit_error', // Cerebras
  '1302': 'rate_limit_error', // Zhipu: too many at a time
  '1303': 'rate_limit_error', // Zhipu: too many in a minute
  '1305': 'overloaded_error', // Zhipu
  slow_down: 'rate_limit_error',
  server_error: 'api_error',
  internal_error: 'api_error',
  internal_server_error: 'api_error',
  internalservererror: 'api_error',
  api_error: 'api_error',
  timeout_error: 'api_error',
  overloaded: 'overloaded_error',
  overloaded_error: 'overloaded_error',
  engine_overloaded_error: 'overloaded_error',
  server_is_overloaded: 'overloaded_error',
  server_overloaded: 'overloaded_error',
  service_unavailable: 'overloaded_error',
  service_unavailable_error: 'overloaded_error',
  unavailable: 'overloaded_error',
}

/** Names that say no more than that something went wrong, and yield to a more telling one. */
const VAGUE_KINDS: ReadonlySet<ErrorKind> = new Set(['invalid_request_error', 'api_error'])

const BILLING_LABELS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'insufficient_balance',
  'insufficient_credits',
  'insufficient_user_quota',
  'credit_balance_exhausted',
  'billing_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'exceeded_current_quota_error', // Moonshot
  '1113', // Zhipu
])

const BILLING_WORDS: RegExp =
  /insufficient[ _](?:account[ _])?(?:balance|credits?|funds)|credit balance is too low|(?:used all available|doesn't have any) credits|credits are depleted|余额不足/i

/** A rate limit of money is no rate limit, and some vendors call it forbidden or a bad request. */
const BILLING_STATUSES: ReadonlySet<number | undefined> = new Set([400, 402, 403, 429, undefined])

/** The rest is about who asks or how often, not about how much. */
const OVERFLOW_STATUSES: ReadonlySet<number | undefined> = new Set([400, 413, 422, 500, undefined])

/** The kinds whose words may say when to come back. */
const PASSING_KINDS: ReadonlySet<ErrorKind> = new Set(['rate_limit_error', 'overloaded_error'])

const FINAL_KINDS: ReadonlySet<ErrorKind> = new Set([
  'authentication_error',
  'billing_error',
  'permission_error',
])

/** An upstream's failure as the error for the client. */
export function upstreamError(facts: UpstreamFacts): HubError {
  const words = cleanWords(facts.message)
  const overflow = overflowOf(facts, words)
  const retell = (hide: Hide): string => upstreamError(hiddenIn(facts, hide)).message
  if (overflow !== undefined)
    return new HubError('invalid_request_error', overflow.words, {
      overflow: overflow.counts,
      isUpstreams: true,
      retell,
    })
  const kind = facts.kind ?? kindOf(facts)
  const retryAfter = retryAfterOf(facts.headers ?? {}, PASSING_KINDS.has(kind) ? words : '')
  const shouldRetry = FINAL_KINDS.has(kind) ? false : shouldRetryOf(facts)
  return new HubError(kind, words === '' ? wordsForNothing(facts) : words, {
    status: statusOf(kind, facts),
    isUpstreams: true,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(shouldRetry !== undefined && { shouldRetry }),
    retell,
  })
}

function hiddenIn(facts: UpstreamFacts, hide: Hide): UpstreamFacts {
  return { ...facts, message: hide(facts.message), labels: facts.labels.map(hide) }
}

/**
 * Statuses that say more than their kind: Anthropic has none of its own for a request that timed out, and its clients
 * retry on 408; 508 is a loop of gateways, which nobody mends by trying again.
 */
const TELLING_STATUSES: ReadonlySet<number | undefined> = new Set([408, 508])

function statusOf(kind: ErrorKind, { kind: given, status }: UpstreamFacts): number {
  const kept = given !== undefined || TELLING_STATUSES.has(status)
  return kept && status !== undefined ? status : STATUS_OF_KIND[kind]
}

function overflowOf(facts: UpstreamFacts, words: string): Overflow | undefined {
  if (!OVERFLOW_STATUSES.has(facts.status)) return undefined
  if (facts.overflow !== undefined) return countedOverflow(facts.overflow, words)
  return facts.labels.reduce<Overflow | undefined>(
    (found, label) => found ?? overflowIn(words, label),
    overflowIn(words),
  )
}

function kindOf(facts: UpstreamFacts): ErrorKind {
  const { status } = facts
  const labels = facts.labels.map((label) => label.toLowerCase().replace(/[\s-]/g, '_'))
  if (BILLING_STATUSES.has(status) && isAboutMoney(labels, facts.message)) return 'billing_error'
  if (status === undefined) return kindOfLabels(labels)
  return KIND_OF_STATUS[status] ?? (status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error')
}

function isAboutMoney(labels: readonly string[], message: string): boolean {
  return labels.some((label) => BILLING_LABELS.has(label)) || BILLING_WORDS.test(message)
}

function kindOfLabels(labels: readonly string[]): ErrorKind {
  const kinds = labels.filter(isKnownLabel).map((label) => KIND_OF_LABEL[label] as ErrorKind)
  return kinds.find((kind) => !VAGUE_KINDS.has(kind)) ?? kinds[0] ?? 'api_error'
}

/** A label is the upstream's to choose: `constructor` must not find what every object has. */
function isKnownLabel(label: string): boolean {
  return Object.hasOwn(KIND_OF_LABEL, label)
}

function shouldRetryOf(facts: UpstreamFacts): boolean | undefined {
  const header = facts.headers?.['x-should-retry']
  return header === 'true' || header === 'false' ? header === 'true' : undefined
}

function wordsForNothing(facts: UpstreamFacts): string {
  const label = facts.labels[0]
  const said = label === undefined ? 'no message' : `only the code ${cleanWords(label)}`
  return facts.status === undefined
    ? `the upstream reported an error with ${said}`
    : `the upstream answered with status ${facts.status} and ${said}`
}
