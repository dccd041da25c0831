import { type OptionValues, UsageError } from '@hydra/cli'
import {
  type Budget,
  type ClientKey,
  DOLLAR,
  type Limits,
  MAX_DOLLARS,
  MAX_LIMIT,
  shownAmount,
} from '@hydra/team'
import type { KEYS_OPTIONS } from './keys-options.ts'
import { timeOfDate } from './time-of-date.ts'

/** What was typed after `hydra keys`. */
export type KeyOptions = OptionValues<typeof KEYS_OPTIONS>

type Rights = Pick<ClientKey, 'owner' | 'labels' | 'expires' | 'models' | 'routes' | 'limits'>

/** What a key may do, from the options. */
export function rightsOf(options: KeyOptions, now: number): Rights {
  const { owner, label, models, routes, expires } = options
  return {
    owner,
    labels: label === undefined ? undefined : Object.fromEntries(label.map(labelOf)),
    expires: expires === undefined ? undefined : dateOf(expires, now),
    models: namesOf('models', models),
    routes: namesOf('routes', routes),
    limits: limitsOf(options),
  }
}

function limitsOf({ rpm, tpm, streams, budget }: KeyOptions): Limits {
  return {
    requestsPerMinute: atLeastOne('rpm', rpm),
    tokensPerMinute: atLeastOne('tpm', tpm),
    streams: atLeastOne('streams', streams),
    budgets: budget?.map(budgetOf),
  }
}

function atLeastOne(name: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined
  if (/^[1-9]\d{0,11}$/.test(typed)) return Number(typed)
  throw new UsageError(`--${name} ${typed}: expected a whole number of at least 1`)
}

const BUDGET = /^(?:(?<usd>\d+(?:\.\d+)?)usd|(?<tokens>\d+)tokens)\/(?<per>day|week|month)$/

function budgetOf(typed: string): Budget {
  const { usd, tokens, per } = BUDGET.exec(typed)?.groups ?? {}
  const amount = Number(usd ?? tokens)
  if (per === undefined) {
    throw new UsageError(`--budget ${typed}: expected such as 10usd/day, 2.5usd/week or 500000tokens/month`)
  }
  const period = per as Budget['per']
  const most = usd === undefined ? MAX_LIMIT : MAX_DOLLARS
  if (amount > most) {
    throw new UsageError(`--budget ${typed}: expected at most ${most}${usd === undefined ? 'tokens' : 'usd'}`)
  }
  if (usd === undefined) return { per: period, unit: 'tokens', limit: amount }
  return { per: period, unit: 'money', limit: Math.round(amount * DOLLAR) }
}

function labelOf(typed: string): [string, string] {
  const equals = typed.indexOf('=')
  if (equals > 0) return [typed.slice(0, equals), typed.slice(equals + 1)]
  throw new UsageError(`--label ${typed}: expected KEY=VALUE`)
}

function dateOf(typed: string, now: number): string {
  const days = /^(\d{1,4})d$/.exec(typed)?.[1]
  const time = days === undefined ? timeOfDate(typed) : now + Number(days) * 86_400_000
  if (Number.isNaN(time)) {
    throw new UsageError(`--expires ${typed}: expected a date such as 2027-01-31, or days such as 90d`)
  }
  if (time <= now) throw new UsageError(`--expires ${typed}: that is in the past`)
  return new Date(time).toISOString()
}

function namesOf(option: string, typed: string | undefined): readonly string[] | undefined {
  if (typed === undefined) return undefined
  const names = typed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  // Without a name the key could do nothing.
  if (names.length === 0) throw new UsageError(`--${option}: expected at least one name`)
  return names
}

/** What a key may do, as a line. */
export function shownRights({ owner, limits = {}, models, routes, expires }: ClientKey): string {
  const { requestsPerMinute, tokensPerMinute, streams, budgets = [] } = limits
  const words = [
    owner && `owner ${owner}`,
    ...budgets.map(({ per, unit, limit }) => `${shownAmount(unit, limit)} per ${per}`),
    requestsPerMinute && `${requestsPerMinute} requests/min`,
    tokensPerMinute && `${tokensPerMinute} tokens/min`,
    streams && `${streams} at once`,
    models && `models ${models.join(' ')}`,
    routes && `routes ${routes.join(' ')}`,
    expires && `until ${expires.slice(0, 10)}`,
  ]
  return words.filter((word) => word !== undefined && word !== '').join(', ') || 'no limits'
}
