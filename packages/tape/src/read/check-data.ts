import { isJsonObject } from '@hydra/core'
import type { Leg, LineType } from '../format/lines.ts'

type Members = Readonly<Record<string, unknown>>

const BLOB_NAME = /^[0-9a-f]{64}$/

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const CHECKS: Readonly<Record<Exclude<LineType, 'd' | 'end'>, (data: Members) => string | undefined>> = {
  req: (data) =>
    expectText(data, 'method') ??
    expectText(data, 'path') ??
    faultOfHeaders(data['headers']) ??
    (data['body'] === undefined ? undefined : faultOfBytes(data['body'])) ??
    expectTextIfAny(data, 'dialect') ??
    (data['via'] === undefined ? undefined : faultOfVia(data['via'])),
  res: (data) =>
    isStatus(data['status']) ? faultOfHeaders(data['headers']) : 'expected status to be an HTTP status',
  abort: (data) =>
    ['client', 'upstream', 'proxy'].includes(String(data['by']))
      ? expectTextIfAny(data, 'reason')
      : 'expected by to be client, upstream or proxy',
  timeout: (data) => expectText(data, 'reason'),
  retry: (data) =>
    expectText(data, 'reason') ??
    (typeof data['pause'] === 'number' ? undefined : 'expected pause to be a number'),
  note: (data) => expectText(data, 'code') ?? expectText(data, 'path') ?? expectText(data, 'message'),
  usage: () => undefined,
  mark: (data) => expectText(data, 'text'),
}

/** Whether the data of a chunk are written in the shorter way. */
export function isFramed(data: unknown): boolean {
  return isJsonObject(data) && ('frame' in data || 'like' in data)
}

/** What is wrong with the data of a line. */
export function faultOfData(type: LineType, leg: Leg, data: unknown): string | undefined {
  if (type === 'd') return isFramed(data) ? faultOfFramed(data as Members) : faultOfBytes(data)
  if (type === 'end') return faultOfEnd(leg, data)
  return isJsonObject(data) ? CHECKS[type](data) : `expected the data of type ${type} to be an object`
}

function faultOfFramed({ frame, like, text, texts }: Members): string | undefined {
  if (texts === undefined && typeof text !== 'string') return 'expected text to be a text'
  if (texts !== undefined && (text !== undefined || !isTexts(texts))) {
    return 'expected texts to be a list of texts, and no text beside it'
  }
  if (frame === undefined) return isCount(like) ? undefined : 'expected like to be the number of a line'
  if (like !== undefined) return 'expected a frame or the number of its line, and not both'
  return faultOfFrame(frame, texts?.length ?? 1)
}

function faultOfFrame(frame: unknown, texts: number): string | undefined {
  if (!isTexts(frame) || frame.length < 2) return 'expected frame to be two texts or more'
  return fills(texts, frame.length - 1) ? undefined : 'expected as many texts as frame has gaps'
}

/** Whether so many texts fill the gaps of one event, or of several. */
export function fills(texts: number, gaps: number): boolean {
  return texts > 0 && texts % gaps === 0
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'string')
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function faultOfEnd(leg: Leg, data: unknown): string | undefined {
  if (leg !== '') return data === null ? undefined : 'expected null at the end of a leg'
  if (!isJsonObject(data) || !isJsonObject(data['hashes'])) return 'expected an outcome and hashes at the end'
  if (!['answered', 'failed', 'aborted'].includes(String(data['outcome']))) {
    return 'expected outcome to be answered, failed or aborted'
  }
  const fault = data['cost'] === undefined ? undefined : faultOfCost(data['cost'])
  if (fault !== undefined) return fault
  return Object.values(data['hashes']).every(isHash) ? undefined : 'expected hashes of 64 hex digits'
}

function faultOfCost(cost: unknown): string | undefined {
  if (isJsonObject(cost) && (Number.isFinite(cost['usd']) || typeof cost['unknown'] === 'string'))
    return undefined
  return 'expected cost to have usd, a number, or unknown, a text'
}

function isHash(hash: unknown): boolean {
  return typeof hash === 'string' && BLOB_NAME.test(hash)
}

function faultOfBytes(bytes: unknown): string | undefined {
  if (!Array.isArray(bytes)) return faultOfPiece(bytes)
  for (const piece of bytes) {
    const fault = isJsonObject(piece) && 'blob' in piece ? faultOfBlob(piece['blob']) : faultOfPiece(piece)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfPiece(piece: unknown): string | undefined {
  if (typeof piece === 'string') return undefined
  const base64 = isJsonObject(piece) ? piece['base64'] : undefined
  if (typeof base64 !== 'string') return 'expected bytes as a text, as base64 or as a list of pieces'
  return base64.length % 4 === 0 && BASE64.test(base64) ? undefined : 'expected base64'
}

/** A name is never more than a hash: nothing on a tape says where files are. */
function faultOfBlob(name: unknown): string | undefined {
  return isHash(name) ? undefined : 'expected the name of a blob to be 64 hex digits'
}

function faultOfHeaders(headers: unknown): string | undefined {
  if (!isJsonObject(headers)) return 'expected headers to be an object'
  const isText = Object.values(headers).every((value) => typeof value === 'string')
  return isText ? undefined : 'expected the values of headers to be texts'
}

function faultOfVia(via: unknown): string | undefined {
  if (!isJsonObject(via)) return 'expected via to be an object'
  // A newer Hydra may know more dialects; who replays such a call says that there is none of that name.
  return expectText(via, 'dialect') ?? expectText(via, 'upstream') ?? optionalTexts(via)
}

function optionalTexts(via: Members): string | undefined {
  for (const name of ['model', 'toldModel', 'profile', 'messageId']) {
    const fault = expectTextIfAny(via, name)
    if (fault !== undefined) return `via: ${fault}`
  }
  const { overrides } = via
  if (overrides !== undefined && !isJsonObject(overrides)) return 'expected via.overrides to be an object'
  for (const name of ['passthrough', 'relayed']) {
    const value = via[name]
    if (value !== undefined && typeof value !== 'boolean') return `expected via.${name} to be true or false`
  }
  return undefined
}

function expectText(data: Members, name: string): string | undefined {
  return typeof data[name] === 'string' ? undefined : `expected ${name} to be a text`
}

function expectTextIfAny(data: Members, name: string): string | undefined {
  return data[name] === undefined ? undefined : expectText(data, name)
}

function isStatus(status: unknown): boolean {
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 999
}
