import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { UsageError } from '@hydra/cli'
import { parseJson, toHubError } from '@hydra/core'
import { readTape, type Tape, TAPE_FILE, TapeError, type TapedExchange, type Via } from '@hydra/tape'

/** A request as it was found: its body, where it is from, and how it was sent on if a tape knows that. */
export interface FoundRequest {
  readonly body: unknown
  /** For the first line: the file, and the exchange of a tape. */
  readonly source: string
  readonly via?: Via | undefined
}

/** Reads a Messages request from a file, a tape or standard input. */
export async function readRequest(file: string, exchange?: number): Promise<FoundRequest> {
  if (file !== '-' && isTape(file)) return readTaped(file, exchange)
  if (exchange !== undefined) throw new UsageError(`--exchange is for tapes, and ${file} is none`)
  if (file === '-')
    return { body: parsed(await textOf(process.stdin), 'standard input'), source: 'standard input' }
  return { body: parsed(readText(file), file), source: basename(file) }
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

function readTaped(file: string, number: number | undefined): FoundRequest {
  const tape = tapeOf(file)
  const exchange = exchangeOf(tape, number)
  const source = `${basename(resolve(tape.folder))}, exchange ${exchange.number}`
  const text = new TextDecoder().decode(exchange.request?.body)
  return {
    body: parsed(text, source),
    source,
    via: exchange.calls.findLast(({ via }) => via !== undefined)?.via,
  }
}

function exchangeOf({ folder, exchanges }: Tape, number: number | undefined): TapedExchange {
  const asked = exchanges.filter(isMessages)
  const found = number === undefined ? asked.at(-1) : asked.find((exchange) => exchange.number === number)
  if (found !== undefined) return found
  if (asked.length === 0) throw new UsageError(`${folder}: the tape has no Messages request`)
  const numbers = asked.map((exchange) => exchange.number).join(', ')
  throw new UsageError(`${folder}: exchange ${number} is no Messages request; those are ${numbers}`)
}

function isMessages({ request }: TapedExchange): boolean {
  return request !== undefined && /\/v1\/messages(?:\?|$)/.test(request.path)
}

function tapeOf(file: string): Tape {
  try {
    return readTape(file)
  } catch (error) {
    if (error instanceof TapeError) throw new UsageError(error.message)
    throw error
  }
}
