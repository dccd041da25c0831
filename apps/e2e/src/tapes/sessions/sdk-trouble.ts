import type Anthropic from '@anthropic-ai/sdk'
import { cut, event, finishChunk, head, play, refuse, textChunk, type Turn } from '@hydra/testkit'
import { expect } from '../../expectations.ts'
import type { TapeSession } from '../session.ts'
import { CLAUDE } from './sdk.ts'

/** Breaks at the three places that differ: in the text, in a call, and after the end. */
const BREAKS: readonly { readonly ask: string; readonly turn: Turn; readonly ends: RegExp }[] = [
  {
    ask: 'Break in the text.',
    turn: play(head(), event(textChunk('The answer ')), event(textChunk('is')), cut('close')),
    ends: /broke|closed|ended|connection/i,
  },
  {
    ask: 'Break in an event.',
    turn: play(
      head(),
      event(textChunk('The answer ')),
      { do: 'body', bytes: 'data: {"choices":[{"index":0,"de' },
      cut('close'),
    ),
    ends: /broke|closed|ended|connection/i,
  },
  {
    ask: 'Break after the finish.',
    turn: play(head(), event(textChunk('The answer is 42.')), event(finishChunk()), cut('close')),
    ends: /^answered$/,
  },
]

const interrupted: TapeSession = {
  name: 'sdk-interrupted-stream',
  isScript: true,
  shows:
    'Three streams that break off: between two events, within one, and behind the finish. The first two end in an error and never in a message; the third has everything but its usage, and is an answer.',
  async play({ upstream, sdk }) {
    upstream.play((_, number) => BREAKS[number]?.turn ?? { text: 'too many' })
    for (const { ask, ends } of BREAKS) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const ended = await outcomeOf(sdk, ask)
      expect(ends.test(ended), `${ask} ended with ${ended}`)
    }
  },
}

const ERRORS = [
  {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    told: 'prompt is too long: 9001 tokens > 8192 maximum',
  },
  {
    status: 403,
    code: 'unsupported_country_region_territory',
    message: 'Country, region, or territory not supported',
    told: 'Country, region, or territory not supported',
  },
  {
    status: 404,
    code: 'model_not_found',
    message: 'The model does not exist',
    told: 'The model does not exist',
  },
] as const

const errors: TapeSession = {
  name: 'sdk-upstream-error',
  isScript: true,
  shows:
    "The upstream refuses for three reasons: the request is too long, the country is not served, the model does not exist. Each becomes the error of the client's dialect that means the same.",
  async play({ upstream, sdk }) {
    upstream.play((_, number) => {
      const { status, code, message } = ERRORS[number] ?? ERRORS[0]
      return refuse(status, { message, type: 'invalid_request_error', param: null, code })
    })
    for (const { told } of ERRORS) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const ended = await outcomeOf(sdk, 'Hello?')
      expect(ended.includes(told), `expected '${told}', got ${ended}`)
    }
  },
}

const rateLimit: TapeSession = {
  name: 'sdk-rate-limit',
  isScript: true,
  shows:
    'A rate limit that outlasts the tries of the proxy. The client gets the 429 with the time that the upstream wants to be left alone.',
  async play({ upstream, sdk }) {
    const error = { message: 'Rate limit reached', type: 'tokens', param: null, code: 'rate_limit_exceeded' }
    upstream.play(() => refuse(429, error, { 'retry-after': '1' }))
    const ended = await outcomeOf(sdk, 'Hello?')
    expect(ended.startsWith('429'), `got ${ended}`)
  },
}

async function outcomeOf(sdk: Anthropic, ask: string): Promise<string> {
  const messages = [{ role: 'user', content: ask }] as const
  return sdk.messages
    .stream({ model: CLAUDE, max_tokens: 100, messages: [...messages] })
    .finalMessage()
    .then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
}

/** Sessions of the official SDK with failures on the wire. */
export const sdkTrouble: readonly TapeSession[] = [interrupted, errors, rateLimit]
