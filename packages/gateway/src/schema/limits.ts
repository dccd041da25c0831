import * as v from 'valibot'
import { age, anyDuration, duration, list, oneOf, someNumber, someText, wholeNumber } from './values.ts'
import { fields, type Written } from './fields.ts'

/** The keys of `timeouts` that every gateway has; the proxy adds its own. */
export const timeoutEntries = {
  /** From a call to the first byte of the upstream's answer (600000); each retry and each fallback has it anew, and so has a request's body. */
  firstByte: v.optional(duration),
  /** Between two reads from the upstream (120000). */
  idle: v.optional(duration),
  /** After how much silence a client is sent a sign of life (15000). */
  keepAlive: v.optional(duration),
  /** How long a connection may stay open after the upstream has said that it is finished (2000). */
  grace: v.optional(anyDuration),
  /** How long a client may take no byte of an answer that waits for it (600000). */
  client: v.optional(duration),
}

/** How long things may take, in milliseconds. */
export interface TimeoutOptions extends Written<typeof timeoutEntries> {}

/** How long things may take, in milliseconds. */
export const timeouts = fields(timeoutEntries)

const STEPS = wholeNumber({ min: 2, max: 1000 })

/** How often and how long a call is tried again before its first byte reached the client. */
export const retries = fields({
  /** Further tries (2). */
  times: v.optional(wholeNumber({ min: 0, max: 10 })),
  /** The longest time that all tries and the pauses between them may take before another one begins, in milliseconds (60000). */
  budget: v.optional(anyDuration),
  /** The first pause, in milliseconds (500); each further one is up to twice as long. */
  pause: v.optional(anyDuration),
})

/** How often and how long a call is tried again before its first byte reached the client. */
export interface RetryOptions extends v.InferInput<typeof retries> {}

/** The largest things that are read. */
export const limits = fields({
  /** Bytes of a request body (33554432). */
  body: v.optional(wholeNumber({ min: 1 })),
  /** Characters of an answer that is kept until it is whole (67108864): a client asked for it in one piece, or gets all of it at the end. */
  answer: v.optional(wholeNumber({ min: 1 })),
})

/** The largest things that are read. */
export interface LimitOptions extends v.InferInput<typeof limits> {}

/** When an upstream that keeps failing is left alone for a while. */
export const breaker = fields({
  /** How many failures in a row open it (5). */
  consecutive: v.optional(wholeNumber({ min: 1 })),
  /** Or this share of the calls of a window (0.5). */
  share: v.optional(someNumber({ min: 0, max: 1 })),
  /** But only if there were at least this many calls in it (20). */
  leastCalls: v.optional(wholeNumber({ min: 1 })),
  /** The length of a window, in milliseconds (30000). */
  window: v.optional(duration),
  /** How long it is left alone before one call probes it, in milliseconds (30000). */
  rest: v.optional(duration),
})

/** When an upstream that keeps failing is left alone for a while. */
export interface BreakerOptions extends v.InferInput<typeof breaker> {}

/** How much is remembered for clients whose protocol refers back to earlier answers. */
export const memory = fields({
  /** How many values (10000). */
  entries: v.optional(wholeNumber({ min: 1 })),
  /** By the length of the values as JSON (67108864). */
  bytes: v.optional(wholeNumber({ min: 1 })),
  /** After how long an entry is forgotten, in milliseconds (86400000). */
  age: v.optional(age),
})

/** The keys of `loopGuard` beside its mode. */
export const loopGuardEntries = {
  /** How many equal calls in a row without anything new are a loop (5). */
  repeats: v.optional(STEPS),
  /** Or how many rounds of the same calls in turn (one less than `repeats`). */
  rounds: v.optional(STEPS),
  /** Or how many calls in a row with slightly different inputs (twice `repeats`). */
  similar: v.optional(STEPS),
  /** Tools that may repeat themselves; `*` stands for any characters. */
  exemptTools: v.optional(list(someText)),
}

/** What is a loop. */
export interface LoopLimits extends Written<typeof loopGuardEntries> {}

/** What is done when a conversation runs in circles. */
export const loopGuard = fields({
  /** Log it, tell the model, or end the turn. */
  mode: oneOf('warn', 'notify', 'stop'),
  ...loopGuardEntries,
})
