import { isJsonObject, type JsonObject } from '../../../src/json/json-object.ts'
import { brokenTexts, failing, nameFaults, objectsIn } from './common.ts'

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/
const KINDS = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse']

/** What Google would refuse in a request, read as an unforgiving server does. */
export function geminiFaults(body: JsonObject): string[] {
  const contents = objectsIn(body['contents'])
  return [
    ...configFaults(body),
    ...toolFaults(body),
    ...(contents.length > 0 ? [] : ['no contents']),
    ...contents.flatMap((content, index) => turnFaults(content, index, contents[index - 1])),
    ...(contents.at(-1)?.['role'] === 'user' ? [] : ['the last turn is not the user’s']),
    ...brokenTexts(body),
  ]
}

function configFaults({ generationConfig: config }: JsonObject): string[] {
  if (!isJsonObject(config)) return []
  const { maxOutputTokens: limit, stopSequences, thinkingConfig } = config
  const thinking = isJsonObject(thinkingConfig) ? thinkingConfig : {}
  const stops = Array.isArray(stopSequences) ? stopSequences : []
  return failing([
    [limit === undefined || (typeof limit === 'number' && limit >= 1), 'maxOutputTokens'],
    [stops.length <= 5 && !stops.includes(''), 'stopSequences'],
    [!('thinkingLevel' in thinking && 'thinkingBudget' in thinking), 'a level and a budget'],
  ])
}

function toolFaults({ tools, toolConfig }: JsonObject): string[] {
  const functions = objectsIn(tools).flatMap(({ functionDeclarations: list }) => objectsIn(list))
  const names = functions.map(({ name }) => name)
  const calling = isJsonObject(toolConfig) ? toolConfig['functionCallingConfig'] : undefined
  const allowed = isJsonObject(calling) ? calling['allowedFunctionNames'] : undefined
  return [
    ...nameFaults(names, NAME),
    ...failing([
      [calling === undefined || functions.length > 0, 'a choice without functions'],
      [!Array.isArray(allowed) || allowed.every((name) => names.includes(name)), 'a choice of no function'],
    ]),
  ]
}

function turnFaults({ role, parts }: JsonObject, index: number, before: JsonObject | undefined): string[] {
  const list = objectsIn(parts)
  const isUser = role === 'user'
  const calls = namesOf(before, 'functionCall')
  const responses = namesOf({ parts }, 'functionResponse')
  return failing([
    [isUser === (index % 2 === 0), `turn ${index} is of the wrong side`],
    [list.length > 0, `turn ${index} has no parts`],
    [list.every((part) => KINDS.filter((kind) => kind in part).length === 1), `turn ${index}: a part`],
    [!isUser || list.every((part) => !('functionCall' in part)), `turn ${index}: a call of the user`],
    [isUser || list.every((part) => !('functionResponse' in part)), `turn ${index}: a response of the model`],
    [
      !isUser || calls.join() === responses.join(),
      `turn ${index} answers ${responses.join()}, not ${calls.join()}`,
    ],
    [index > 0 || responses.length === 0, 'a response to nothing'],
  ])
}

/** The calls or the responses of a turn, each by its name and its id. */
function namesOf(turn: JsonObject | undefined, kind: string): string[] {
  return objectsIn(turn?.['parts'])
    .map((part) => part[kind])
    .filter(isJsonObject)
    .map(({ name, id }) => `${String(name)} ${String(id)}`)
    .toSorted()
}
