import { isCodex } from '../../clients/codex.ts'
import { invalidRequest } from '../../hub/error.ts'
import { unexpectedValue } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { ClientCall, ClientDialect, ClientIds, Endpoint } from '../dialect.ts'
import { forgetResponse, itemKey, responseKey, storedResponse } from './stored-response.ts'

/** How many items one page holds, unless another number is asked for. */
const PAGE = 20
const MAX_PAGE = 100

/** Where clients of Responses call: with the version in their base URL, without it, and as Azure's SDK does. */
export const endpoints: readonly Endpoint[] = ['/v1', '', '/openai/v1', '/openai'].flatMap(
  (version): Endpoint[] => {
    const base = `${version}/responses`
    return [
      { method: 'POST', path: base, purpose: 'generate' },
      { method: 'POST', path: `${base}/input_tokens`, purpose: 'count' },
      { method: 'GET', path: `${base}/{response_id}`, purpose: 'own', answer: retrieve },
      { method: 'DELETE', path: `${base}/{response_id}`, purpose: 'own', answer: remove },
      { method: 'GET', path: `${base}/{response_id}/input_items`, purpose: 'own', answer: inputItems },
      { method: 'GET', path: `${version}/models`, purpose: 'models', when: isCodex },
    ]
  },
)

/** The forms of ids that clients of Responses know. */
export const newId: ClientIds = {
  message: (unique) => `resp_${unique}`,
  call: (unique) => `call_${unique}`,
  request: (unique) => `req_${unique}`,
}

/** A request without an endpoint of ours, from a client that speaks Responses. */
export const recognises: ClientDialect['recognises'] = ({ path }) =>
  /^(?:\/openai)?(?:\/v1)?\/responses(?:\/|$)/.test(path)

/** The headers of an answer. */
export function answerHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId }
}

/** The answer to a request that asks how long its prompt is. */
export function encodeCount(tokens: number): object {
  return { object: 'response.input_tokens', input_tokens: tokens }
}

/**
 * The list of models for Codex, which has a form of its own for it. An entry would replace the prompt that Codex brings
 * for the model, and we have none, so the list is empty and Codex goes on with what it knows.
 */
export function encodeModels(): object {
  return { models: [] }
}

/** What a request refers back to: the answer that it continues or asks for, and single items. */
export const recalls: NonNullable<ClientDialect['recalls']> = ({ params, body }) => {
  const { response_id: id } = params
  if (id !== undefined) return [responseKey(id)]
  if (!isJsonObject(body)) return []
  const { previous_response_id: previous, input } = body
  return [
    ...(typeof previous === 'string' && previous !== '' ? [responseKey(previous)] : []),
    ...(Array.isArray(input) ? input.flatMap(referenceKeys) : []),
  ]
}

/** A reference may come without its type, but then there is nothing beside its id. */
function referenceKeys(item: unknown): string[] {
  if (!isJsonObject(item) || typeof item.id !== 'string') return []
  const isReference = item.type === 'item_reference' || (!item.type && item.role === undefined)
  return isReference ? [itemKey(item.id)] : []
}

function retrieve({ memory, params, query }: ClientCall): unknown {
  if (query['stream'] === 'true') throw invalidRequest('stream', 'an answer that is kept is given whole')
  return storedResponse(memory, idOf(params)).response
}

function remove({ memory, params }: ClientCall): unknown {
  const id = idOf(params)
  forgetResponse(memory, storedResponse(memory, id))
  return { id, object: 'response', deleted: true }
}

/** The items of the request, page by page, the latest first unless it is asked for the other way round. */
function inputItems({ memory, params, query }: ClientCall): unknown {
  const id = idOf(params)
  const { input } = storedResponse(memory, id)
  const items = input.map((item, index) => listed(item, `msg_${id.replace(/^resp_/, '')}_in${index}`))
  const ordered = query['order'] === 'asc' ? items : items.toReversed()
  const after = ordered.findIndex((item) => item.id === query['after'])
  const data = ordered.slice(after + 1, after + 1 + limitOf(query))
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: after + 1 + data.length < ordered.length,
  }
}

/** An item as lists have it: short forms are written out, and each has an id. */
function listed(item: JsonObject, ownId: string): JsonObject & { readonly id: string } {
  const id = typeof item.id === 'string' ? item.id : ownId
  if (item.role === undefined) return { ...item, id }
  const { content } = item
  const type = item.role === 'assistant' ? 'output_text' : 'input_text'
  return {
    ...item,
    type: 'message',
    id,
    status: 'completed',
    content: typeof content === 'string' ? [{ type, text: content }] : content,
  }
}

function limitOf({ limit }: ClientCall['query']): number {
  if (limit === undefined) return PAGE
  const count = Number(limit)
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PAGE) return count
  throw unexpectedValue('limit', `integer from 1 to ${MAX_PAGE}`, limit)
}

function idOf({ response_id: id = '' }: ClientCall['params']): string {
  return id
}
