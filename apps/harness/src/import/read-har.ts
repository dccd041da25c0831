import { isJsonObject } from '@hydra/core'
import { Buffer } from 'node:buffer'
import { parseText, textOf } from '@hydra/inspector/summary'
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
  'one of the two legs: a capture between a client and a provider has one',
  'chunks and their times: each body is one piece at the time its entry ended',
  TRANSFER_FORM,
  NOTES,
]

/** Whether a document is an HTTP archive. */
export function isHar(document: unknown): boolean {
  return isJsonObject(document) && isJsonObject(document['log']) && Array.isArray(document['log']['entries'])
}

/** Reads an HTTP archive of version 1.2, as browsers and proxies export it. */
export function readHar(document: unknown): Source {
  const log = isJsonObject(document) && isJsonObject(document['log']) ? document['log'] : {}
  const entries: unknown[] = Array.isArray(log['entries']) ? log['entries'] : []
  return { from: 'har', lacks: LACKS, ...sortEntries(entries, readEntry, (index) => `log.entries[${index}]`) }
}

function readEntry(entry: unknown): Entry {
  if (!isJsonObject(entry)) return broken('expected an object')
  const request = entry['request']
  if (!isJsonObject(request)) return broken('it has no request')
  const address = textOf(request['url'])
  if (address === undefined) return broken('its request has no url')
  const body = postedText(request)
  const place = whichLeg(address, parseText(body))
  if ('reason' in place) return { reason: place.reason, isBroken: false }
  const at = timeOf(entry['startedDateTime'])
  const { path, ...where } = place
  return {
    exchange: {
      ...where,
      at,
      request: { method: textOf(request['method']) ?? 'POST', path, headers: headersOf(request), body },
      answer: answerOf(entry, at),
      marks: [],
    },
  }
}

function answerOf(entry: Fields, at: number | undefined): ImportedAnswer | undefined {
  const response = entry['response']
  // Browsers write a status of 0 for an answer that never came.
  if (!isJsonObject(response) || !isStatus(response['status'])) return undefined
  const body = contentOf(response)
  const failure = textOf(response['_error']) ?? textOf(entry['_error'])
  const fault = failure ?? (body === undefined ? 'the source did not keep the body' : undefined)
  return {
    status: response['status'],
    headers: headersOf(response),
    at: later(at, untilHead(entry['timings'])),
    body,
    bodyAt: later(at, typeof entry['time'] === 'number' ? entry['time'] : undefined),
    ...(fault !== undefined && { broken: fault }),
  }
}

function isStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
}

/** Developer tools often leave out the bodies of event streams. */
function contentOf(response: Fields): string | Uint8Array | undefined {
  const content = isJsonObject(response['content']) ? response['content'] : {}
  const text = textOf(content['text'])
  if (text === undefined || text === '') return content['size'] === 0 ? '' : undefined
  return content['encoding'] === 'base64' ? Buffer.from(text, 'base64') : text
}

function postedText(request: Fields): string {
  return isJsonObject(request['postData']) ? (textOf(request['postData']['text']) ?? '') : ''
}

function headersOf(message: Fields): SourceHeaders {
  const list: unknown[] = Array.isArray(message['headers']) ? message['headers'] : []
  return Object.fromEntries(
    list.flatMap((header) => {
      const name = isJsonObject(header) ? textOf(header['name']) : undefined
      const value = isJsonObject(header) ? textOf(header['value']) : undefined
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
    }),
  )
}

function timeOf(started: unknown): number | undefined {
  const time = typeof started === 'string' ? Date.parse(started) : NaN
  return Number.isNaN(time) ? undefined : time * 1000
}

function untilHead(timings: unknown): number | undefined {
  if (!isJsonObject(timings)) return undefined
  const spans = ['blocked', 'dns', 'connect', 'send', 'wait'].map((name) => timings[name])
  // -1 stands for a span that does not apply; `ssl` is a part of `connect`.
  return spans.reduce<number>((sum, span) => sum + (typeof span === 'number' && span > 0 ? span : 0), 0)
}

function later(at: number | undefined, milliseconds: number | undefined): number | undefined {
  if (at === undefined || milliseconds === undefined || !Number.isFinite(milliseconds)) return undefined
  return at + Math.max(0, milliseconds) * 1000
}
