import { streamFormFor, wantsBreak } from '../../clients/habits.ts'
import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import { cameFrom } from '../../hub/origin.ts'
import type { HubRequest, HubTextBlock } from '../../hub/request.ts'
import { unexpected, unexpectedValue } from '../../json/expect.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { ClientCall, CountRequest, DecodedRequest, StreamForm } from '../dialect.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeParameters } from './decode-parameters.ts'
import { decodeTools } from './decode-tools.ts'
import { Fields } from './fields.ts'
import type { GeminiReply } from './reply.ts'

/** Gemini CLI gives up on a head after 60 seconds. */
const HEAD_WITHIN = 40_000

const STREAM_METHOD = ':streamGenerateContent'

/** Decodes a call of `generateContent` or `streamGenerateContent`. */
export function decodeRequest(call: ClientCall): DecodedRequest<GeminiReply> {
  const model = modelOf(call)
  const isStream = call.path.endsWith(STREAM_METHOD)
  const isArray = (call.query['alt'] ?? call.query['$alt']) !== 'sse'
  const { request, notes, showsThoughts } = decodeBody(new Fields(call.body, ''), model)
  return {
    request: isStream ? { ...request, stream: true } : request,
    reply: {
      stream: isStream ? streamFormFor(streamForm(call, isArray), call.headers) : undefined,
      answerNotes: new Notes(),
      showsThoughts,
      searches: request.tools?.some((tool) => 'name' in tool && tool.name === 'web_search') === true,
      isArray,
    },
    notes: notes.list,
  }
}

/** Decodes a call of `countTokens`: the contents alone, or all of a request inside. */
export function decodeCount(call: ClientCall): CountRequest {
  const body = new Fields(call.body, '')
  const whole = body.object('generateContentRequest')
  const { request, notes } = decodeBody(whole ?? body, modelOf(call))
  return { request, notes: notes.list }
}

interface DecodedBody {
  readonly request: HubRequest
  readonly notes: Notes
  readonly showsThoughts: boolean
}

function decodeBody(body: Fields, model: string): DecodedBody {
  const notes = new Notes()
  refuseReferences(body)
  const contents = body.list('contents')
  if (contents.length === 0)
    throw invalidRequest(body.pathOf('contents'), 'expected at least one content, got none')
  const messages = cameFrom(decodeMessages(contents, notes), body.pathOf('contents'))
  const tools = decodeTools(body, notes)
  const { fields, extras: wishes, instruction, showsThoughts } = decodeParameters(body, notes)
  const system = [...decodeSystem(body, notes), ...(instruction === '' ? [] : [textBlock(instruction)])]
  const extras = { ...tools.extras, ...wishes }
  const request: HubRequest = {
    model,
    ...(system.length > 0 && { system }),
    messages,
    ...tools.fields,
    ...fields,
    ...other(body, notes),
    ...(Object.keys(extras).length > 0 && { extras }),
  }
  // The path says it, whatever this says.
  body.get('model')
  body.noteOthers(notes)
  return { request, notes, showsThoughts }
}

/** What is kept at Google is a part of the prompt that other providers do not have. */
function refuseReferences(body: Fields): void {
  for (const name of ['cachedContent', 'continuationToken']) {
    const value = body.get(name)
    if (value === undefined || value === '') continue
    throw invalidRequest(
      body.pathOf(name),
      'expected a request that is whole: what it refers to is kept at Google',
    )
  }
}

function other(body: Fields, notes: Notes): Pick<HubRequest, 'metadata' | 'service_tier'> {
  const tier = body.text('serviceTier')?.toLowerCase()
  if (tier !== undefined && tier !== 'standard')
    notes.add('field_ignored', body.pathOf('serviceTier'), `only Google knows the tier ${tier}`)
  const labels = body.get('labels')
  const user = isJsonObject(labels) ? labels['user_id'] : undefined
  if (isJsonObject(labels) && Object.keys(labels).some((name) => name !== 'user_id'))
    notes.add('field_ignored', body.pathOf('labels'), 'the hub has no equivalent')
  return {
    ...(typeof user === 'string' && user !== '' && { metadata: { user_id: user } }),
    ...(tier === 'standard' && { service_tier: 'standard_only' }),
  }
}

function decodeSystem(body: Fields, notes: Notes): HubTextBlock[] {
  const value = body.get('systemInstruction')
  const path = body.pathOf('systemInstruction')
  if (value === undefined || value === '') return []
  if (typeof value === 'string') return [textBlock(value)]
  const content = new Fields(value, path)
  // Whoever writes it, it is nobody's turn.
  content.get('role')
  const blocks = content.list('parts').flatMap((part, index) => {
    const place = `${content.pathOf('parts')}[${index}]`
    if (!isJsonObject(part)) throw unexpected(place, 'object', part)
    const fields = new Fields(part, place)
    const text = fields.text('text') ?? ''
    fields.noteOthers(notes)
    return text === '' ? [] : [textBlock(text)]
  })
  content.noteOthers(notes)
  return blocks
}

function textBlock(text: string): HubTextBlock {
  return { type: 'text', text }
}

/** The model is in the path, with a folder in front where the client has put one there. */
function modelOf({ params }: ClientCall): string {
  const model = (params['model'] ?? '').replace(/^models\//, '')
  if (model !== '') return model
  throw unexpectedValue('model', 'a model in the path', model)
}

/** A sign of life is a thought without words: every client takes it, and a comment kills some of them. */
function streamForm(call: ClientCall, isArray: boolean): StreamForm {
  if (isArray)
    return { contentType: 'application/json; charset=utf-8', keepAlive: '\r\n', headWithin: HEAD_WITHIN }
  const chunk = {
    candidates: [{ content: { parts: [{ text: '', thought: true }], role: 'model' }, index: 0 }],
    modelVersion: modelOf(call),
  }
  return {
    contentType: 'text/event-stream; charset=utf-8',
    keepAlive: `data: ${JSON.stringify(chunk)}\r\n\r\n`,
    headWithin: HEAD_WITHIN,
    ...(wantsBreak(call.headers) && { breaksWhenFailed: true }),
  }
}
