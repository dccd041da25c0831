import { HubError } from '@hydra/core'
import { shownAmount } from '../account/limits.ts'
import type { BudgetRefusal, Refusal } from '../account/refusal.ts'

/** What a client is told that may not begin, with the numbers that decided it. */
export function refusalError(refusal: Refusal): HubError {
  switch (refusal.kind) {
    case 'budget':
      return budgetError(refusal)
    case 'streams':
      return tooMany(`this key may have ${refusal.limit} requests under way at the same time`, refusal.wait)
    case 'requests':
      return tooMany(`this key may send ${refusal.limit} requests per minute`, refusal.wait)
    case 'tokens':
      return tooMany(
        `this key may use ${refusal.limit} tokens per minute; ${Math.ceil(refusal.used)} were used`,
        refusal.wait,
      )
  }
}

function tooMany(rule: string, wait: number): HubError {
  return new HubError('rate_limit_error', `${rule}; try again in ${shownWait(wait)}`, {
    retryAfter: wait / 1000,
  })
}

/** Only the reset helps a spent budget, so the client must not try again. */
function budgetError({ budget, spent, held, demand, resetsAt, wait }: BudgetRefusal): HubError {
  const { per, unit, limit } = budget
  const amount = (value: number): string => shownAmount(unit, value)
  const head = `the budget of this key is ${amount(limit)} per ${per}: ${amount(spent)} spent`
  const tail = `this request may need ${amount(demand)}`
  if (wait !== undefined) {
    const message = `${head}, ${amount(held)} held by requests under way, and ${tail}`
    return new HubError('rate_limit_error', `${message}; try again in ${shownWait(wait)}`, {
      retryAfter: wait / 1000,
    })
  }
  const reset = new Date(resetsAt).toISOString()
  return new HubError('billing_error', `${head}, and ${tail}; it begins anew at ${reset}`, {
    shouldRetry: false,
    code: 'budget_spent',
  })
}

function shownWait(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`
}
