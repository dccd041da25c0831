import { text } from 'node:stream/consumers'
import { type Environment, UsageError } from '@hydra/cli'
import type { SessionSummary } from '../serve/session-book.ts'
import { plainText } from '../log/plain-text.ts'

/** A status line is asked for again and again: one that is late is of no use. */
const PATIENCE = 1000

/** `hydra statusline`: what Claude Code shows below its prompt. It is given a value of JSON on standard input. */
export async function statusline(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError(`hydra statusline takes no arguments, got ${args.join(' ')}`)
  const status = readStatus(await text(process.stdin))
  process.stdout.write(`${await statusLine(status, process.env)}\n`)
  return 0
}

/** What is looked at of what Claude Code says of itself. */
interface ClientStatus {
  readonly session: string
  /** The model that it believes to talk to. */
  readonly model: string
}

function readStatus(json: string): ClientStatus {
  try {
    const { session_id: session, model } = JSON.parse(json) as Readonly<Record<string, unknown>>
    const { id, display_name: name } = (model ?? {}) as Readonly<Record<string, unknown>>
    return { session: wordOf(session), model: wordOf(name) || wordOf(id) || 'model' }
  } catch {
    throw new UsageError('hydra statusline: expected the status of Claude Code as JSON on standard input')
  }
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The line: the model that the client believes in, who really answers, and what the session cost. */
export async function statusLine({ session, model }: ClientStatus, env: Environment): Promise<string> {
  const url = env['ANTHROPIC_BASE_URL']
  const known = url === undefined ? 'ANTHROPIC_BASE_URL is not set' : await summaryFrom(url, session, env)
  if (typeof known === 'string') return plainText(`${model} (${known})`)
  return plainText(`${model} → ${known.upstream ?? ''} ${known.upstreamModel ?? ''}  ${costWords(known)}`)
}

function costWords({ usd, unknownCosts }: SessionSummary): string {
  if (unknownCosts === 0) return `$${usd.toFixed(2)}`
  return usd === 0 ? 'cost unknown' : `$${usd.toFixed(2)} and ${unknownCosts} of unknown cost`
}

/** What the proxy knows of a session, or why there is nothing to know. */
async function summaryFrom(url: string, session: string, env: Environment): Promise<SessionSummary | string> {
  try {
    const address = `${url.replace(/\/+$/, '')}/session?id=${encodeURIComponent(session)}`
    const response = await fetch(address, { headers: keyHeaders(env), signal: AbortSignal.timeout(PATIENCE) })
    if (response.status === 404) return 'no answer yet'
    if (!response.ok) return `the proxy says ${response.status}`
    return (await response.json()) as SessionSummary
  } catch {
    return 'no proxy'
  }
}

/** The key that Claude Code brings itself: as its token, or where it has credentials of its own, in a header. */
function keyHeaders(env: Environment): Record<string, string> {
  const lines = (env['ANTHROPIC_CUSTOM_HEADERS'] ?? '').split('\n')
  const own = lines.find((line) => line.toLowerCase().startsWith('x-hydra-key:'))
  if (own !== undefined) return { 'x-hydra-key': own.slice(own.indexOf(':') + 1).trim() }
  const token = env['ANTHROPIC_AUTH_TOKEN']
  return token === undefined ? {} : { 'x-hydra-key': token }
}
