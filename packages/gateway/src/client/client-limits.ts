/** How much a client may use; what is absent is not limited. */
export interface ClientLimits {
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
  /** Requests under way at the same time. */
  readonly streams?: number | undefined
  readonly budgets?: readonly ClientBudget[] | undefined
}

/** What may be spent in a calendar period (UTC; weeks begin on Monday). */
export interface ClientBudget {
  readonly per: 'day' | 'week' | 'month'
  readonly unit: 'tokens' | 'money'
  /** Whole tokens, or billionths of a dollar: sums of whole numbers do not drift. */
  readonly limit: number
}
