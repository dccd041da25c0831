import * as v from 'valibot'
import { fields, named } from './fields.ts'
import { duration, flag, fullList, list, byName, oneOf, someText, text, wholeNumber } from './values.ts'

/** A header of a request. */
export const header = fields({
  /** Its name, in any case. */
  name: someText,
  /** Its value; any if absent. */
  value: v.optional(text),
})

/** What a request must be like for a route; every condition that is given must hold. */
export const match = fields({
  /** Names of models; `*` stands for any characters. */
  models: v.optional(fullList(text)),
  /** A word in the system prompt or the first messages; agents that another agent started never match. */
  marker: v.optional(v.pipe(text, v.minLength(3, 'expected at least 3 characters'))),
  /** A header, and its value if that matters. */
  header: v.optional(header),
  /** The smallest size of the request, in bytes. */
  minBytes: v.optional(wholeNumber({ min: 0 })),
  /** The largest size of the request, in bytes. */
  maxBytes: v.optional(wholeNumber({ min: 0 })),
  /** Whether the request offers tools. */
  hasTools: v.optional(flag),
  /** Whether there are images in the conversation. */
  hasImages: v.optional(flag),
})

/** Where a call goes: which upstream, and under which model name. */
export const target = fields({
  /** A name from `upstreams`. */
  upstream: text,
  /** The upstream's name for the model; by default what the client asked for. */
  model: v.optional(text),
})

/** Where a call goes: which upstream, and under which model name. */
export interface TargetOptions extends v.InferInput<typeof target> {}

/** How long things may take on a route, where that is not as everywhere: some models think for long without a word. */
export const routeTimeouts = fields({
  /** From a call to the first byte of the upstream's answer, in milliseconds. */
  firstByte: v.optional(duration),
  /** Between two reads from the upstream, in milliseconds. */
  idle: v.optional(duration),
})

/** One rule of where requests go. */
export const route = fields({
  /** What log lines call it; by default `route 1`, `route 2` … */
  name: v.optional(text),
  /** What a request must be like for it; without one it takes everything. */
  match: v.optional(match),
  /** A name from `upstreams`. */
  upstream: text,
  /** The upstream's name for the model; by default what the client asked for. */
  model: v.optional(text),
  /** Names of the client's models and what the upstream calls them; `*` stands for any characters. */
  models: v.optional(byName(text)),
  /** The model name that the client sees; by default what it asked for. */
  spoof: v.optional(text),
  /** Sends the request unchanged, with the client's own credentials, also if its form is not known here. */
  passthrough: v.optional(flag),
  /** Has every request translated, also between a client and an upstream that speak the same dialect. */
  translate: v.optional(oneOf('always')),
  /** How long things may take here, in milliseconds, where that is not as everywhere. */
  timeouts: v.optional(routeTimeouts),
  /** Where to go when the upstream fails before its first byte, in this order. */
  fallbacks: v.optional(list(named<TargetOptions>(target))),
})
