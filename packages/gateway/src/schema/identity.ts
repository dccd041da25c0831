import { didYouMean } from '@hydra/core/did-you-mean'
import * as v from 'valibot'
import { type Fault, faultAt, faultsOf } from './fault.ts'
import { fields } from './fields.ts'
import { secret } from './upstream.ts'
import { list, oneOf, someNumber, someText, text } from './values.ts'

const amount = someNumber({ min: 0 })

const limits = fields({
  requestsPerMinute: v.optional(amount),
  tokensPerMinute: v.optional(amount),
  streams: v.optional(amount),
  budgets: v.optional(
    list(fields({ per: oneOf('day', 'week', 'month'), unit: oneOf('tokens', 'money'), limit: amount })),
  ),
})

const entries = {
  id: someText,
  name: v.optional(text),
  owner: v.optional(text),
  limits: v.optional(limits),
  models: v.optional(list(text)),
  routes: v.optional(list(text)),
  key: v.optional(secret),
}

const identity = v.looseObject(entries)

/** The keys without which a client may do everything. */
const RESTRICTIONS = ['limits', 'models', 'routes'] as const satisfies readonly (keyof typeof entries)[]

/**
 * What is wrong with an identity. It may be what a database has on somebody, so it may have keys of its own; but one
 * that looks like a restriction is a misspelt one, and the client would be let in without it.
 */
export function faultsOfIdentity(value: object): readonly Fault[] {
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(entries, key))
  const misspelt = unknown.flatMap((key) => {
    const meant = didYouMean(key, RESTRICTIONS)
    return meant === undefined ? [] : faultAt([], `unknown key '${key}'; ${meant}`)
  })
  return [...faultsOf(identity, value), ...misspelt]
}
