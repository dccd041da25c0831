import { isJsonObject } from '@hydra/core'
import { textOf } from '@hydra/inspector/summary'
import {
  broken,
  type Entry,
  type ImportedAnswer,
  NOTES,
  sortEntries,
  type Source,
  type SourceHeaders,
  TRANSFER_FORM,
} from './imported.ts'
import { whichLeg } from './which-leg.ts'

type Fields = Readonly<Record<string, unknown>>

const LACKS = [
  'the leg to an upstream: a trace is what a client and its provider said',
  'chunks and their times: each body is one piece at the time its pair was written',
  'the exact bytes of JSON bodies: the source parsed them, and they are written anew',
  TRANSFER_FORM,
  NOTES,
]

/** Whether the first line of a file is a pair of claude-trace. */
export function isClaudeTrace(pair: unknown): boolean {
  return isJsonObject(pair) && isJsonObject(pair['request']) && 'response' in pair && 'url' in pair['request']
}

/** Reads the lines of claude-trace: one pair of request and response on each. */
export function readClaudeTrace(text: string): Source {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }))
  const filled = lines.filter(({ line }) => line.trim() !== '')
  const sorted = sortEntries(
    filled.map(({ line }) => line),
    readLine,
    (index) => `line ${filled[index]?.number ?? 0}`,
  )
  return { from: 'claude-trace', lacks: LACKS, ...sorted }
}

function readLine(line: unknown): Entry {
  try {
    return readPair(JSON.parse(String(line)))
  } catch {
    return broken('it is no JSON')
  }
}

function readPair(pair: unknown): Entry {
  const request = isJsonObject(pair) ? pair['request'] : undefined
  if (!isJsonObject(pair) || !isJsonObject(request)) return broken('it has no request')
  const address = textOf(request['url'])
  if (address === undefined) return broken('its request has no url')
  const place = whichLeg(address, request['body'])
  if ('reason' in place) return { reason: place.reason, isBroken: false }
  const { path, ...where } = place
  const note = textOf(pair['note'])
  return {
    exchange: {
      ...where,
      at: secondsOf(request['timestamp']),
      request: {
        method: textOf(request['method']) ?? 'POST',
        path,
        headers: headersOf(request['headers']),
        body: bodyOf(request['body']) ?? '',
      },
      answer: answerOf(pair),
      marks: note === undefined ? [] : [note],
    },
  }
}

function answerOf(pair: Fields): ImportedAnswer | undefined {
  const response = pair['response']
  if (!isJsonObject(response) || typeof response['status_code'] !== 'number') return undefined
  const body = textOf(response['body_raw']) ?? bodyOf(response['body'])
  const logged = Date.parse(textOf(pair['logged_at']) ?? '')
  const at = secondsOf(response['timestamp'])
  return {
    status: response['status_code'],
    headers: headersOf(response['headers']),
    at,
    body,
    bodyAt: Number.isNaN(logged) ? at : logged * 1000,
    ...(body === undefined && { broken: 'the source did not keep the body' }),
  }
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function headersOf(headers: unknown): SourceHeaders {
  const entries = isJsonObject(headers) ? Object.entries(headers) : []
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  )
}

function secondsOf(timestamp: unknown): number | undefined {
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? Math.round(timestamp * 1e6) : undefined
}
