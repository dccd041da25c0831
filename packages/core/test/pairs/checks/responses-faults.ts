import { isJsonObject, type JsonObject } from '../../../src/json/json-object.ts'
import { brokenTexts, failing, nameFaults, objectsIn } from './common.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const ID = /^[!-~]{1,64}$/
const EFFORTS = new Set<unknown>([undefined, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const ITEMS = new Set<unknown>(['message', 'function_call', 'function_call_output', 'reasoning'])

/** What OpenAI would refuse in a request of the Responses API, read as an unforgiving server does. */
export function responsesFaults(body: JsonObject): string[] {
  const items = objectsIn(body['input'])
  return [
    ...parameterFaults(body),
    ...toolFaults(body),
    ...(items.length > 0 ? items.flatMap(itemFaults) : ['no input']),
    ...pairFaults(items),
    ...brokenTexts(body),
  ]
}

function parameterFaults(body: JsonObject): string[] {
  const { reasoning, max_output_tokens: limit, store, stream, stream_options: options } = body
  return failing([
    [store === false, 'it is stored'],
    [limit === undefined || (typeof limit === 'number' && limit >= 16), 'max_output_tokens'],
    [EFFORTS.has(isJsonObject(reasoning) ? reasoning['effort'] : undefined), 'reasoning.effort'],
    [options === undefined || stream === true, 'stream_options without stream'],
    [!('top_k' in body) && !('stop' in body), 'a field that the API does not have'],
  ])
}

function toolFaults({ tools, tool_choice: choice }: JsonObject): string[] {
  const functions = objectsIn(tools).filter(({ type }) => type === 'function')
  const names = functions.map(({ name }) => name)
  const isNamed = isJsonObject(choice) && choice['type'] === 'function'
  return [
    ...nameFaults(names, NAME),
    ...functions.flatMap(({ strict, parameters }) =>
      failing([
        [typeof strict === 'boolean', 'a tool does not say whether it is strict'],
        [isJsonObject(parameters) && parameters['type'] === 'object', 'the parameters are no object'],
      ]),
    ),
    ...failing([
      [choice === undefined || tools !== undefined, 'a choice without tools'],
      [!isNamed || names.includes(choice['name']), 'a choice that is not offered'],
    ]),
  ]
}

function itemFaults(item: JsonObject): string[] {
  const { type, content, output, name, arguments: json } = item
  if (!ITEMS.has(type)) return [`an item of the type ${String(type)}`]
  return failing([
    [!('id' in item), 'an item with an id'],
    [type !== 'message' || objectsIn(content).length > 0, 'a message without content'],
    [type !== 'message' || objectsIn(content).every(({ text }) => text !== ''), 'an empty text'],
    [type !== 'function_call' || (NAME.test(String(name)) && isJsonObject(parsed(json))), 'a bad call'],
    [type !== 'function_call_output' || typeof output === 'string' || objectsIn(output).length > 0, 'output'],
  ])
}

function parsed(json: unknown): unknown {
  return typeof json === 'string' ? (JSON.parse(json) as unknown) : undefined
}

/** Every call has one output behind it, and nothing else has; reasoning is followed by what it led to. */
function pairFaults(items: readonly JsonObject[]): string[] {
  const called: string[] = []
  const answered: string[] = []
  const faults: string[] = []
  for (const [index, { type, call_id: given }] of items.entries()) {
    const id = String(given)
    if (type === 'function_call') called.push(id)
    if (type === 'reasoning' && !isLedTo(items[index + 1])) faults.push(`reasoning ${index} led to nothing`)
    if (type !== 'function_call_output') continue
    if (!called.includes(id)) faults.push(`an output of no call: ${id}`)
    answered.push(id)
  }
  if (new Set(called).size < called.length) faults.push('two calls have one id')
  if (called.some((id) => !ID.test(id))) faults.push('an id that is not legal')
  if (called.toSorted().join() !== answered.toSorted().join()) faults.push('calls and outputs are not pairs')
  return faults
}

function isLedTo(item: JsonObject | undefined): boolean {
  const { type, role } = item ?? {}
  return type === 'reasoning' || type === 'function_call' || (type === 'message' && role === 'assistant')
}
