import { type Account, accountAt, eachPeriod, type Holding, plus, type Spent } from '../account/account.ts'
import type { Period } from '../account/limits.ts'
import { refusalOf } from '../account/refusal.ts'
import type { Order, Renewal, Settlement, Verdict } from './store.ts'

/** The rows of one account, inside of a transaction of the embedded stores. */
export interface AccountRows {
  read(): Account
  write(account: Account): void
  /** Removes and gives the reservations that have aged out. */
  takeExpired(now: number): Holding[]
  hold(id: string, holding: Holding, expires: number): void
  /** Removes and gives a reservation. */
  release(id: string): Holding | undefined
  has(id: string): boolean
  isSettled(id: string): boolean
  markSettled(id: string, now: number): void
  unmarkSettled(ids: readonly string[]): void
}

/** Reserves what a request may need, if all limits allow it. */
export function reserve(rows: AccountRows, order: Order, now: number): Verdict {
  const { limits, demand, known } = order
  const kept = withoutExpired(rows, now)
  const current = accountAt(kept, limits, now)
  // A network may deliver the same order twice.
  if (rows.has(order.id)) {
    rows.write(kept)
    return { account: current, now }
  }
  const account = known === undefined ? current : { ...current, spent: atLeast(current.spent, known) }
  const refusal = refusalOf(account, limits, { demand, now })
  if (refusal !== undefined) {
    rows.write(account)
    return { account, now, refusal }
  }
  const { requests, tokens } = account
  const after: Account = {
    ...account,
    requests: { ...requests, used: requests.used + 1 },
    tokens: { ...tokens, used: tokens.used + demand.rate },
    held: added(account.held, demand, 1),
  }
  rows.hold(order.id, demand, now + order.lease)
  rows.write(after)
  return { account: after, now }
}

/** Ends a reservation and books what was used; gives whether it was booked now. */
export function settle(
  rows: AccountRows,
  { id, limits, used, confirmed = [] }: Settlement,
  now: number,
): boolean {
  if (confirmed.length > 0) rows.unmarkSettled(confirmed)
  if (rows.isSettled(id)) return false
  rows.markSettled(id, now)
  const account = accountAt(withoutExpired(rows, now), limits, now)
  const holding = rows.release(id)
  const { tokens } = account
  rows.write({
    ...account,
    tokens: { ...tokens, used: Math.max(0, tokens.used + used.tokens - (holding?.rate ?? 0)) },
    spent: eachPeriod((period) => plus(account.spent[period], used)),
    held: holding === undefined ? account.held : added(account.held, holding, -1),
  })
  return true
}

/** Keeps reservations, and puts back those that were lost. */
export function renew(rows: AccountRows, { lease, held }: Renewal, now: number): void {
  const account = withoutExpired(rows, now)
  let { held: sum } = account
  for (const [id, holding] of held) {
    if (rows.isSettled(id)) continue
    if (!rows.has(id)) sum = added(sum, holding, 1)
    rows.hold(id, holding, now + lease)
  }
  rows.write({ ...account, held: sum })
}

/** The account without what was reserved by requests that died. */
export function withoutExpired(rows: AccountRows, now: number): Account {
  const account = rows.read()
  const expired = rows.takeExpired(now)
  if (expired.length === 0) return account
  return {
    ...account,
    held: expired.reduce<Account['held']>((sum, holding) => added(sum, holding, -1), account.held),
  }
}

function added(held: Account['held'], { rate, tokens, money }: Holding, sign: 1 | -1): Account['held'] {
  return {
    count: held.count + sign,
    rate: held.rate + sign * rate,
    tokens: held.tokens + sign * tokens,
    money: held.money + sign * money,
  }
}

/** Within a period spending only grows, so the larger number is the later one. */
function atLeast(spent: Account['spent'], known: Readonly<Record<Period, Spent>>): Account['spent'] {
  return eachPeriod((period) => {
    const own = spent[period]
    const seen = known[period]
    if (seen.period !== own.period) return own
    return { ...own, tokens: Math.max(own.tokens, seen.tokens), money: Math.max(own.money, seen.money) }
  })
}
