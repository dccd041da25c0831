import { isJsonObject, openaiChat } from '@hydra/core'
import { textOf } from '@hydra/inspector/summary'
import { completionOf } from './aimock-completion.ts'
import { broken, type Entry, type ImportedAnswer, NOTES, sortEntries, type Source } from './imported.ts'

type Fields = Readonly<Record<string, unknown>>

const LACKS = [
  'the leg to the client: a fixture is what a provider answers',
  'requests: a fixture only has what it matches on, and no request is a whole one',
  'the bytes of answers: they are written as one Chat Completions body each, from the fields of the fixture',
  'headers',
  'times, also that of the recording: everything is at the epoch',
  'chunks',
  NOTES,
]

/** What a fixture has that is carried over; the rest is named in a mark. */
const CARRIED = new Set(['match', 'response'])
const JSON_HEADERS = { 'content-type': 'application/json' }

/** Whether a document is a file of fixtures for aimock. */
export function isAimock(document: unknown): boolean {
  return isJsonObject(document) && Array.isArray(document['fixtures'])
}

/** Reads the fixtures of aimock: what a scripted provider answers to what it matches on. */
export function readAimock(document: unknown): Source {
  const fixtures: unknown[] =
    isJsonObject(document) && Array.isArray(document['fixtures']) ? document['fixtures'] : []
  return {
    from: 'aimock',
    lacks: LACKS,
    ...sortEntries(fixtures, readFixture, (index) => `fixtures[${index}]`),
  }
}

function readFixture(fixture: unknown): Entry {
  if (!isJsonObject(fixture)) return broken('expected an object')
  const { match, response } = fixture
  if (!isJsonObject(match)) return broken('it has no match')
  if (!isJsonObject(response)) return broken('it has no response')
  const answered = answerOf(response)
  if (answered === undefined) {
    return { reason: `its response is no chat answer (${Object.keys(response).join(', ')})`, isBroken: false }
  }
  const model = textOf(match['model'])
  const left = [...Object.keys(fixture).filter((key) => !CARRIED.has(key)), ...answered.left]
  return {
    exchange: {
      leg: 'upstream',
      at: undefined,
      request: { method: 'POST', path: '/v1/chat/completions', headers: {}, body: requestOf(match) },
      via: { upstream: 'aimock', dialect: openaiChat.name, ...(model !== undefined && { model }) },
      answer: answered.answer,
      marks: [
        `the fixture matches on ${JSON.stringify(match)}`,
        ...(left.length === 0 ? [] : [`not carried over: ${left.join(', ')}`]),
      ],
    },
  }
}

/** The part of a request that the fixture has, and nothing else; often that is none. */
function requestOf(match: Fields): string {
  const system = [match['systemMessage']].flat().filter((text) => typeof text === 'string')
  const user = textOf(match['userMessage'])
  const messages = [
    ...system.map((content) => ({ role: 'system', content })),
    ...(user === undefined ? [] : [{ role: 'user', content: user }]),
  ]
  if (messages.length === 0) return ''
  const model = textOf(match['model'])
  return JSON.stringify({ ...(model !== undefined && { model }), messages })
}

function answerOf(response: Fields): { answer: ImportedAnswer; left: readonly string[] } | undefined {
  const { error, json, status, ...rest } = response
  const given = typeof status === 'number' && status >= 100 && status <= 599 ? status : undefined
  if (isJsonObject(error)) return { answer: answerWith(given ?? 500, { error }), left: Object.keys(rest) }
  if (json !== undefined) return { answer: answerWith(given ?? 200, json), left: Object.keys(rest) }
  const completion = completionOf(response)
  return completion && { answer: answerWith(200, completion.body), left: completion.left }
}

function answerWith(status: number, body: unknown): ImportedAnswer {
  return { status, headers: JSON_HEADERS, at: undefined, body: JSON.stringify(body), bodyAt: undefined }
}
