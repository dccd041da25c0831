import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { UsageError } from '@hydra/cli'
import {
  type ClientDialect,
  type DecodedRequest,
  type DialectName,
  parseJson,
  plainCall,
  registry,
  toHubError,
} from '@hydra/core'
import {
  callerOf,
  decodeBody,
  readTape,
  replayExchange,
  type Tape,
  TAPE_FILE,
  TapeError,
  type TapedExchange,
  TapeMemory,
  type Via,
} from '@hydra/tape'
import type { ExplainOptions } from './explain-options.ts'

/** A request as it was found: where it is from, and how it was sent on if a tape knows that. */
export interface FoundRequest {
  /** The request as the hub understands it; what its client would be refused with is thrown. */
  decode(): Pick<DecodedRequest, 'request' | 'notes'>
  /** For the first line: the file, and the exchange of a tape. */
  readonly source: string
  readonly via?: Via | undefined
  /** What may be added so that a request that was refused is taken. */
  hint?(): string | undefined
}

/** Which request is read, and the dialect and model that are not in it if they were given. */
export type WantedRequest = Pick<ExplainOptions, 'file' | 'client' | 'exchange' | 'model'>

/** Reads a request from a file, a tape or standard input. */
export async function readRequest({ file, client, exchange, model }: WantedRequest): Promise<FoundRequest> {
  if (file !== '-' && isTape(file)) return readTaped(file, { client, exchange })
  if (exchange !== undefined) throw new UsageError(`--exchange is for tapes, and ${file} is none`)
  const source = file === '-' ? 'standard input' : basename(file)
  const text = file === '-' ? await textOf(process.stdin) : readText(file)
  const body = parsed(text, file === '-' ? source : file)
  return {
    decode: () => decoded(clientNamed(client), body, model),
    source,
    hint: () => hintFor({ body, client, model }),
  }
}

/** Some protocols have the model in the path, which no file holds. */
function decoded(client: ClientDialect, body: unknown, model: string | undefined): DecodedRequest {
  return client.decodeRequest(plainCall(body, { params: model === undefined ? {} : { model } }))
}

interface RefusedRequest extends Pick<WantedRequest, 'client' | 'model'> {
  readonly body: unknown
}

/** The dialect or the model that were left out, if the request would be taken with them. */
function hintFor({ body, client: given, model }: RefusedRequest): string | undefined {
  const taking = registry.clients.find(
    ({ name, client }) => (given ?? name) === name && isTaken(client, body, model ?? 'any'),
  )
  if (taking === undefined) return undefined
  const options = [
    ...(given === undefined ? [`--client ${taking.name}`] : []),
    ...(model === undefined && !isTaken(taking.client, body, undefined) ? ['--model NAME'] : []),
  ]
  return options.length === 0 ? undefined : `written in ${taking.name}? Add ${options.join(' ')}`
}

function isTaken(client: ClientDialect, body: unknown, model: string | undefined): boolean {
  try {
    decoded(client, body, model)
    return true
  } catch {
    return false
  }
}

/** Whose requests are meant by default: those of the first dialect. */
function clientNamed(name: DialectName | undefined): ClientDialect {
  const [first] = registry.clients
  return registry.client(name ?? first?.name ?? '')
}

function isTape(file: string): boolean {
  try {
    return basename(file) === TAPE_FILE || statSync(file).isDirectory()
  } catch (error) {
    throw cannotRead(file, error)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw cannotRead(file, error)
  }
}

function cannotRead(file: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new UsageError(
    code === 'ENOENT' ? `${file}: there is no such file` : `${file}: it cannot be read (${code})`,
  )
}

function parsed(text: string, source: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UsageError(`${source}: ${toHubError(error).message}`)
  }
}

function readTaped(file: string, { client, exchange: number }: Omit<WantedRequest, 'file'>): FoundRequest {
  const tape = tapeOf(file)
  const found = exchangeOf(tape, number)
  const exchange = client === undefined ? found : spokenIn(found, client)
  const source = `${basename(resolve(tape.folder))}, exchange ${exchange.number}`
  parsed(new TextDecoder().decode(exchange.request?.body), source)
  return {
    decode: () => decodeBody(exchange, memoryBefore(tape, exchange)),
    source,
    via: exchange.calls.findLast(({ via }) => via !== undefined)?.via,
  }
}

function spokenIn(exchange: TapedExchange, dialect: DialectName): TapedExchange {
  const { request } = exchange
  return request === undefined ? exchange : { ...exchange, request: { ...request, dialect } }
}

/** What a request may refer back to: the answers before it. */
function memoryBefore({ exchanges }: Tape, { number }: TapedExchange): TapeMemory {
  const memory = new TapeMemory()
  for (const exchange of exchanges) {
    if (exchange.number < number) replayExchange(exchange, memory)
  }
  return memory
}

function exchangeOf({ folder, exchanges }: Tape, number: number | undefined): TapedExchange {
  const asked = exchanges.filter(asksForAnswer)
  const found = number === undefined ? asked.at(-1) : asked.find((exchange) => exchange.number === number)
  if (found !== undefined) return found
  if (asked.length === 0) throw new UsageError(`${folder}: the tape has no request for an answer`)
  const numbers = asked.map((exchange) => exchange.number).join(', ')
  throw new UsageError(`${folder}: exchange ${number} is no request for an answer; those are ${numbers}`)
}

function asksForAnswer(exchange: TapedExchange): boolean {
  return exchange.request !== undefined && callerOf(exchange).endpoint?.purpose === 'generate'
}

function tapeOf(file: string): Tape {
  try {
    return readTape(file)
  } catch (error) {
    if (error instanceof TapeError) throw new UsageError(error.message)
    throw error
  }
}
