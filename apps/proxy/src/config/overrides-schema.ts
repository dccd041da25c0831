import { fields, flag, fullList, oneOf, text, wholeNumber } from '@hydra/gateway/schema'
import * as v from 'valibot'

const effort = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')

/** Something that goes into the body as it is. */
const body = v.record(v.string(), v.unknown(), 'expected an object')

/** Thinking by a level. */
export const effortReasoning = fields({
  /** Thinking by a level. */
  kind: v.literal('effort'),
  /** The levels it takes, weakest first. */
  levels: fullList(effort),
  /** The only level it takes together with function tools. */
  withTools: v.optional(effort),
})

/** Thinking by a switch. */
export const switchReasoning = fields({
  /** Thinking by a switch. */
  kind: v.literal('switch'),
  /** What goes into the body to turn it on. */
  on: body,
  /** What goes into the body to turn it off. */
  off: body,
})

/** Thinking that nothing changes. */
export const fixedReasoning = fields({
  /** Thinking that nothing changes. */
  kind: v.literal('fixed'),
})

const reasoning = v.variant('kind', [effortReasoning, switchReasoning, fixedReasoning], ({ expected }) =>
  expected === 'Object' ? 'expected an object' : 'expected kind to be one of effort, switch, fixed',
)

/** What an upstream does otherwise than its profile says; `null` takes away what the profile has. */
export const overrides = fields({
  /** The header that carries the key; `authorization` takes it as a bearer token. */
  keyHeader: v.optional(oneOf('authorization', 'api-key', 'x-api-key')),
  /** Whether two turns of one role in a row are merged. */
  consecutiveTurns: v.optional(oneOf('keep', 'merge')),
  /** Whose turn the first one has to be. */
  firstTurn: v.optional(oneOf('any', 'user')),
  /** The role of the system prompt. */
  systemRole: v.optional(oneOf('system', 'developer')),
  /** Whether a system message may come between the turns. */
  systemMidway: v.optional(oneOf('keep', 'reminder')),
  /** Whether the user may speak directly behind results, or the assistant says something in between. */
  userAfterResults: v.optional(oneOf('keep', 'bridge')),
  /** Whether a request may end with a turn of the assistant. */
  takesPrefill: v.optional(flag),
  /** The content of a turn that has nothing but calls. */
  contentBesideCalls: v.optional(v.nullable(v.literal('', 'expected one of null, ""'))),
  /** What a result without content says. */
  emptyResult: v.optional(text),
  /** Whether a tool message may hold images and documents. */
  resultMedia: v.optional(oneOf('in-place', 'after')),
  /** Whether it takes images. */
  takesImages: v.optional(flag),
  /** Whether it takes documents. */
  takesDocuments: v.optional(flag),
  /** Under which field the thinking of earlier turns is sent back, if at all. */
  replaysThinking: v.optional(v.nullable(oneOf('reasoning_content', 'reasoning'))),
  /** Whether a message with such a field is refused. */
  refusesThinking: v.optional(flag),
  /** Whether thinking with Anthropic's own signature is sent back with it. */
  replaysSignedThinking: v.optional(flag),
  /** Whether calls carry a signature that must come back with them. */
  replaysThoughtSignatures: v.optional(flag),
  /** The tag around thinking inside the text that is lifted out of it. */
  thinkingTag: v.optional(v.nullable(text)),
  /** The longest name of a tool. */
  toolNameLength: v.optional(wholeNumber({ min: 16 })),
  /** How many tools it takes. */
  maxTools: v.optional(wholeNumber({ min: 1 })),
  /** Whether it takes tools whose input must match their schema. */
  takesStrictTools: v.optional(flag),
  /** Whether it takes tools whose input is plain text. */
  takesCustomTools: v.optional(flag),
  /** Whether it can be told to call one tool at a time. */
  takesParallelToolCalls: v.optional(flag),
  /** The word that makes the model call some tool. */
  requiredToolChoice: v.optional(oneOf('required', 'any')),
  /** The field of the longest answer. */
  tokenLimitField: v.optional(oneOf('max_tokens', 'max_completion_tokens')),
  /** The longest answer that it takes a wish for, in tokens. */
  maxOutputTokens: v.optional(v.nullable(wholeNumber({ min: 1 }))),
  /** Whether it takes temperature and the like. */
  takesSampling: v.optional(flag),
  /** Whether it takes `top_k`. */
  takesTopK: v.optional(flag),
  /** How many stop sequences it takes; the rest is matched in its answer. */
  maxStopSequences: v.optional(wholeNumber({ min: 0 })),
  /** Whether it can be asked for the usage at the end of a stream. */
  takesStreamOptions: v.optional(flag),
  /** How it is told the form of an answer. */
  responseFormat: v.optional(oneOf('json_schema', 'json_object', 'none')),
  /** Whether the schema of an answer may describe something else than an object. */
  takesAnySchema: v.optional(flag),
  /** Whether it takes a key under which prompts are cached. */
  takesPromptCacheKey: v.optional(flag),
  /** Whether prompts are cached only where the request asks for it. */
  takesCacheControl: v.optional(flag),
  /** Whether it takes a name for the user behind a request. */
  takesSafetyIdentifier: v.optional(flag),
  /** Whether it has OpenAI's tiers of service. */
  takesServiceTier: v.optional(flag),
  /** Whether it can be told how much to say. */
  takesVerbosity: v.optional(flag),
  /** The events of which one ends an answer, in dialects that have several. */
  closingEvents: v.optional(fullList(text)),
  /** How it is told to think. */
  reasoning: v.optional(reasoning),
})

/** What an upstream does otherwise than its profile says; `null` takes away what the profile has. */
export interface ConfiguredOverrides extends Readonly<v.InferInput<typeof overrides>> {}
