import {
  isJsonObject,
  type HubBlock,
  type HubContentBlock,
  type HubRequest,
  type HubResponse,
  type HubStopReason,
  usageOf,
} from '@hydra/core'
import { textOf } from '@hydra/inspector/summary'
import { broken, type Entry, type ImportedAnswer } from './imported.ts'
import { OtelReader, toolsOf } from './otel-messages.ts'
import { otelWire, type OtelWire } from './otel-wire.ts'
import { type Attributes, listAt, numberAt, textAt } from './otlp-attributes.ts'
import { whichLeg } from './which-leg.ts'

/** A call of a model, as a span tells it. Times are microseconds since the epoch. */
export interface OtelCall {
  readonly attributes: Attributes
  readonly begun: number | undefined
  readonly over: number | undefined
  /** Why it failed, if the span says so. */
  readonly failure: string | undefined
}

const INPUT = 'gen_ai.input.messages'
const OUTPUT = 'gen_ai.output.messages'

/** The exchange that a span is about, if it carries what was said. */
export function otelExchange(call: OtelCall): Entry {
  const { attributes, begun } = call
  if (!attributes.has(INPUT))
    return { reason: `it carries no content: there is no ${INPUT}`, isBroken: false }
  const messages = listAt(attributes, INPUT)
  if (messages === undefined) return broken(`its ${INPUT} is no list in JSON; a limit may have cut it off`)
  const reader = new OtelReader()
  const { request, left } = requestOf(attributes, messages, reader)
  if (request.messages.length === 0) return broken(`its ${INPUT} says nothing that can be read`)
  const provider = textAt(attributes, 'gen_ai.provider.name', 'gen_ai.system')
  const wire = otelWire(request, { provider, host: hostOf(attributes) })
  const place = whichLeg(wire.address, JSON.parse(String(wire.request.body)))
  if ('reason' in place) return broken(place.reason)
  const { path: _path, ...where } = place
  const { answer, marks } = answerOf(call, wire, reader)
  const lost = [...new Set([...left, ...reader.left])]
  const all = [...(lost.length === 0 ? [] : [`not carried over: ${lost.join(', ')}`]), ...marks]
  return { exchange: { ...where, at: begun, request: wire.request, answer, marks: all } }
}

function requestOf(
  attributes: Attributes,
  messages: readonly unknown[],
  reader: OtelReader,
): { readonly request: HubRequest; readonly left: readonly string[] } {
  const conversation = reader.conversation(messages, listAt(attributes, 'gen_ai.system_instructions') ?? [])
  const { tools, left } = toolsOf(listAt(attributes, 'gen_ai.tool.definitions') ?? [])
  const stops = listAt(attributes, 'gen_ai.request.stop_sequences')?.filter(
    (stop) => typeof stop === 'string',
  )
  const request: HubRequest = {
    model: textAt(attributes, 'gen_ai.request.model', 'gen_ai.response.model') ?? 'unknown',
    messages: [...conversation.messages],
    ...(conversation.system.length > 0 && {
      system: conversation.system.map((text) => ({ type: 'text' as const, text })),
    }),
    ...(tools.length > 0 && { tools: [...tools] }),
    ...numbersOf(attributes),
    ...(stops !== undefined && stops.length > 0 && { stop_sequences: stops }),
    ...(attributes.get('gen_ai.request.stream') === true && { stream: true }),
  }
  return { request, left }
}

/** What a request asked for in numbers, by the hub's names. */
const NUMBERS = ['max_tokens', 'temperature', 'top_p', 'top_k'] as const

function numbersOf(attributes: Attributes): Pick<HubRequest, (typeof NUMBERS)[number]> {
  return Object.fromEntries(
    NUMBERS.flatMap((name) => {
      const value = numberAt(attributes, `gen_ai.request.${name}`)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function hostOf(attributes: Attributes): string | undefined {
  const address = textAt(attributes, 'server.address')
  const port = numberAt(attributes, 'server.port')
  if (address === undefined || port === undefined || port === 443) return address
  return `${address}:${port}`
}

interface ReadAnswer {
  readonly answer: ImportedAnswer | undefined
  readonly marks: readonly string[]
}

function answerOf(call: OtelCall, wire: OtelWire, reader: OtelReader): ReadAnswer {
  const { attributes, over, failure } = call
  const choices = listAt(attributes, OUTPUT)?.filter(isJsonObject) ?? []
  const [first] = choices
  const marks = failure === undefined ? [] : [`the call failed: ${failure}`]
  if (first === undefined) return { answer: undefined, marks }
  const finish = finishOf(first, attributes)
  const usage = usageIn(attributes)
  const message = messageOf(attributes, reader.answer(first), { finish, usage })
  const fault = failure ?? (finish === 'error' ? 'it finished with an error' : undefined)
  const answer = {
    ...wire.answer(message, usage === undefined ? 'uncounted' : 'counted'),
    at: firstChunkOf(call),
    bodyAt: over,
    ...(fault !== undefined && { broken: fault }),
  }
  const more = choices.length - 1
  if (more > 0) marks.push(`not carried over: ${more} more of the answers that were asked for at once`)
  if (usage === undefined) marks.push('nobody has counted the tokens; a count of 0 is none')
  return { answer, marks }
}

function finishOf(choice: Readonly<Record<string, unknown>>, attributes: Attributes): string | undefined {
  const all = listAt(attributes, 'gen_ai.response.finish_reasons')
  return textOf(choice['finish_reason']) ?? textOf(all?.[0])
}

/** When the answer began, as far as the span says. */
function firstChunkOf({ attributes, begun, over }: OtelCall): number | undefined {
  const seconds = numberAt(attributes, 'gen_ai.response.time_to_first_chunk')
  return begun === undefined || seconds === undefined ? over : begun + Math.round(seconds * 1e6)
}

interface Ended {
  readonly finish: string | undefined
  readonly usage: HubResponse['usage'] | undefined
}

function messageOf(
  attributes: Attributes,
  content: readonly HubBlock[],
  { finish, usage }: Ended,
): HubResponse {
  const hasCalls = content.some(({ type }) => type === 'tool_use')
  return {
    id: textAt(attributes, 'gen_ai.response.id') ?? 'imported',
    type: 'message',
    role: 'assistant',
    model: textAt(attributes, 'gen_ai.response.model', 'gen_ai.request.model') ?? 'unknown',
    content: content as readonly unknown[] as HubContentBlock[],
    container: null,
    diagnostics: null,
    stop_reason: STOP_REASONS[finish ?? ''] ?? (hasCalls ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: null,
    usage: usage ?? usageOf({}),
  }
}

/** Reasons to stop by the names of the conventions and of providers. */
const STOP_REASONS: Readonly<Record<string, HubStopReason>> = {
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  tool_call: 'tool_use',
  tool_calls: 'tool_use',
  tool_use: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
}

/** The conventions count what came from a cache as part of the input; the hub does not. */
function usageIn(attributes: Attributes): HubResponse['usage'] | undefined {
  const count = (...names: readonly string[]): number | undefined =>
    numberAt(attributes, ...names.map((name) => `gen_ai.usage.${name}`))
  const input = count('input_tokens', 'prompt_tokens')
  const output = count('output_tokens', 'completion_tokens')
  if (input === undefined && output === undefined) return undefined
  const read = count('cache_read.input_tokens') ?? 0
  const written = count('cache_write.input_tokens', 'cache_creation.input_tokens') ?? 0
  const thinking = count('reasoning.output_tokens')
  return usageOf({
    input_tokens: Math.max(0, (input ?? 0) - read - written),
    output_tokens: output ?? 0,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    ...(thinking !== undefined && { output_tokens_details: { thinking_tokens: thinking } }),
  })
}
