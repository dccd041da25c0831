import { streamFormFor, wantsBreak } from '../../clients/habits.ts'
import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import { cameFrom } from '../../hub/origin.ts'
import type { HubMessage, HubRequest } from '../../hub/request.ts'
import { expectObject, expectOptional, expectText, unexpected } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { ClientCall, CountRequest, DecodedRequest, StreamForm } from '../dialect.ts'
import { ClientTools } from './client-tools.ts'
import { decodeItems } from './decode-items.ts'
import { decodeParameters, type Parameters, type Settings } from './decode-parameters.ts'
import { decodeToolChoice } from './decode-tool-choice.ts'
import { ToolDecoder, WEB_SEARCH } from './decode-tools.ts'
import { newId } from './endpoints.ts'
import { echoOf, type ResponsesReply } from './reply.ts'
import { previousItems, storedItem, storeResponse } from './stored-response.ts'
import { Turns } from './turns.ts'

/** Codex takes no notice of comments, and the SDK refuses events that it does not know. */
const KEEP_ALIVE = 'event: keepalive\ndata: {"type":"keepalive"}\n\n'

const STREAM: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  keepAlive: KEEP_ALIVE,
  keepsAnswer: true,
}

/** One of the agents takes a failed stream with a clean end for whole, and after a broken one the others ask again too. */
const STREAM_FOR_AGENTS: StreamForm = { ...STREAM, breaksWhenFailed: true }

const MILLISECONDS = 1000

/** Reads a request of the Responses API, with what it refers back to. */
export function decodeRequest(call: ClientCall): DecodedRequest<ResponsesReply> {
  const body = expectObject(call.body, '')
  const { request, notes, tools, items, context } = decodeBody(body, call)
  const { memory } = call
  const store = body.store !== false
  return {
    request,
    notes,
    reply: {
      stream: request.stream === true ? streamFor(call) : undefined,
      answerNotes: new Notes(),
      model: request.model,
      createdAt: Math.floor(call.now / MILLISECONDS),
      tools,
      echo: echoOf(body),
      newId: () => newId.message(call.newId()),
      store: store
        ? (response, kept) => storeResponse(memory, { ...kept, response, input: items, context })
        : undefined,
    },
  }
}

function streamFor({ headers }: ClientCall): StreamForm {
  return streamFormFor(wantsBreak(headers) ? STREAM_FOR_AGENTS : STREAM, headers)
}

/** Like `decodeRequest`, for a request that only asks how long its prompt is. */
export function decodeCount(call: ClientCall): CountRequest {
  const { request, notes } = decodeBody(expectObject(call.body, ''), call)
  return { request, notes }
}

interface DecodedBody extends CountRequest {
  readonly tools: ClientTools
  readonly items: readonly JsonObject[]
  readonly context: readonly unknown[]
}

function decodeBody(body: JsonObject, { memory }: Pick<ClientCall, 'memory'>): DecodedBody {
  const model = expectText(body, 'model', '')
  expectOptional(body, 'instructions', { type: 'string', path: '' })
  expectOptional(body, 'store', { type: 'boolean', path: '' })
  expectOptional(body, 'previous_response_id', { type: 'string', path: '' })
  const notes = new Notes()
  const tools = new ClientTools()
  const offered = new ToolDecoder({ tools, notes })
  if (body.tools !== undefined && body.tools !== null) offered.add(body.tools, 'tools')
  const turns = new Turns()
  if (typeof body.instructions === 'string' && body.instructions !== '')
    turns.instruct([{ type: 'text', text: body.instructions }])
  let updates: Settings = {}
  const reading = {
    turns,
    tools,
    offered,
    notes,
    itemOf: (id: string) => storedItem(memory, id),
    configure: (item: JsonObject) => {
      updates = { ...updates, ...settingsOf(item) }
    },
  }
  const context = contextOf(body, memory)
  decodeItems(context, 'previous_response_id', reading)
  const items = inputItems(body.input)
  decodeItems(items, 'input', reading)
  const request: HubRequest = {
    model,
    ...conversation(turns, notes),
    ...decodeToolChoice(body, { offered: offered.offered, tools, notes }),
    ...withOptionalTools(decodeParameters(body, updates, notes), offered),
  }
  return { request, notes: notes.list, tools, items, context }
}

/** What only some upstreams have is no reason to refuse a request. */
function withOptionalTools(parameters: Parameters, offered: ToolDecoder): Parameters {
  if (!offered.has(WEB_SEARCH)) return parameters
  return { ...parameters, extras: { ...parameters.extras, optional_tools: [WEB_SEARCH] } }
}

function contextOf(body: JsonObject, memory: ClientCall['memory']): readonly unknown[] {
  const { previous_response_id: id } = body
  return typeof id === 'string' && id !== '' ? previousItems(memory, id) : []
}

function inputItems(input: unknown): readonly JsonObject[] {
  if (input === undefined || input === null) return []
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  if (!Array.isArray(input)) throw unexpected('input', 'string or array', input)
  return input.map((item, index) => expectObject(item, `input[${index}]`))
}

/** Settings that an item changes for the rest of the conversation. */
function settingsOf({ reasoning, text }: JsonObject): Settings {
  const effort = isJsonObject(reasoning) ? reasoning.effort : undefined
  const verbosity = isJsonObject(text) ? text.verbosity : undefined
  return {
    ...(typeof effort === 'string' && { effort }),
    ...(typeof verbosity === 'string' && { verbosity }),
  }
}

/** The hub needs a turn to answer: instructions alone are one of the user's. */
function conversation({ messages, system }: Turns, notes: Notes): Pick<HubRequest, 'messages' | 'system'> {
  if (messages.length > 0)
    return { messages: cameFrom(messages, 'input'), ...(system.length > 0 && { system }) }
  const last = system.at(-1)
  if (last === undefined) throw invalidRequest('input', 'expected at least one item to answer, got none')
  notes.add('role_changed', 'input', 'instructions without anything to answer became a turn of the user')
  const turn: HubMessage = { role: 'user', content: [last] }
  return { messages: [turn], ...(system.length > 1 && { system: system.slice(0, -1) }) }
}
