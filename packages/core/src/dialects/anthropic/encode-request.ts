import { hasCacheMarks } from '../../encode/cache-marks.ts'
import { headerOf, type HeaderValues } from '../../http/headers.ts'
import { Notes } from '../../hub/note.ts'
import type { HubRequest } from '../../hub/request.ts'
import { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import { ToolNames } from '../../identity/tool-names.ts'
import { completeProfile, profileFor } from '../../profiles/profile.ts'
import type { EncodedRequest, Target } from '../dialect.ts'
import { nameOf } from '../placed-tools.ts'
import { plainReply } from '../plain-reply.ts'
import { markCaches, withLatestMarks } from './cache-marks.ts'
import type { Encoding } from './encoding.ts'
import { encodeMessages } from './messages.ts'
import {
  encodeMaxTokens,
  encodeMetadata,
  encodeSampling,
  encodeStops,
  encodeSystem,
  withLegalFormat,
} from './parameters.ts'
import { type AnthropicProfile, defaultProfile } from './profile.ts'
import { encodeThinking } from './thinking.ts'
import { encodeTools } from './tools.ts'

const ANTHROPIC_VERSION = '2023-06-01'
/** What a client of the same dialect says in headers and not in the body. */
const FORWARDED = ['anthropic-beta', 'anthropic-version'] as const

/** Addresses a hub request to Anthropic: its own form already, but for what the target's model does not take. */
export function encodeRequest(request: HubRequest, target: Target<AnthropicProfile>): EncodedRequest {
  const encoding = newEncoding(request, target)
  const { notes, names, callIds } = encoding
  const stops = encodeStops(request, encoding)
  const body = encodeBody(request, encoding)
  const { stop_sequences: sequences } = request
  const prompt = promptOf(body, target, encoding)
  return {
    path: '/messages',
    query: '',
    headers: headersFor(target.headers ?? {}),
    body: {
      ...body,
      model: target.model,
      ...(sequences !== undefined && { stop_sequences: stops.taken }),
      ...prompt,
    },
    notes: notes.list,
    reply: {
      ...plainReply(request.model, encoding.profile),
      names,
      callIds,
      stopSequences: sequences ?? [],
      ownStopSequences: stops.own,
    },
  }
}

function newEncoding(
  { tools = [] }: HubRequest,
  { model, profile, client }: Target<AnthropicProfile>,
): Encoding {
  return {
    profile: profileFor(completeProfile(profile, defaultProfile), model),
    notes: new Notes(),
    names: new ToolNames(profile.toolNameLength, tools.map(nameOf)),
    wireIds: new WireCallIds(profile.callIds),
    callIds: new CallIdsInUse(client),
  }
}

type Body = Omit<HubRequest, 'extras'>

/** What does not go out as it came; every other field does, also an unknown one. */
const REWRITTEN: ReadonlySet<string> = new Set([
  'extras',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'context_management',
  'temperature',
  'top_p',
  'top_k',
  'metadata',
] satisfies (keyof HubRequest)[])

function encodeBody(request: HubRequest, encoding: Encoding): Body {
  const fields = Object.entries(request).filter(([name]) => !REWRITTEN.has(name))
  const maxTokens = encodeMaxTokens(request, encoding)
  const messages = encodeMessages(request, encoding)
  const { output_config: config, ...thinking } = encodeThinking(request, { ...encoding, messages, maxTokens })
  const legal = withLegalFormat(config, encoding)
  return {
    model: request.model,
    ...Object.fromEntries(fields),
    max_tokens: maxTokens,
    ...encodeSystem(request, encoding),
    ...encodeTools(request, encoding),
    ...thinking,
    ...(legal !== undefined && { output_config: legal }),
    ...encodeSampling(request, thinking, encoding),
    ...encodeMetadata(request),
    // Last, so that a longer conversation begins with the same bytes.
    messages,
  }
}

/** The parts that are cached, with marks where the client's protocol has none. */
function promptOf(
  body: Body,
  { client }: Target<AnthropicProfile>,
  { profile, notes }: Encoding,
): Pick<Body, 'tools' | 'system' | 'messages'> {
  const { tools, system, messages } = body
  const prompt = { ...(tools !== undefined && { tools }), ...(system !== undefined && { system }), messages }
  if (client === undefined || client.marksCaches === true) return prompt
  if (hasCacheMarks(prompt)) {
    const latest = withLatestMarks(prompt)
    if (latest !== prompt)
      notes.add('cache_control_dropped', 'messages', 'Anthropic takes four marks: the latest')
    return latest
  }
  if (!profile.takesCacheMarks) return prompt
  notes.add('cache_marks_added', 'messages', 'the prompt is marked for Anthropic to cache it')
  return markCaches(body)
}

/** What goes along of the client's headers. */
export function headersFor(client: HeaderValues): Record<string, string> {
  const headers: Record<string, string> = { 'anthropic-version': ANTHROPIC_VERSION }
  for (const name of FORWARDED) {
    const value = headerOf(client, name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}
