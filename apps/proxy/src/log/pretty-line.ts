import { styleText } from 'node:util'
import type { ExchangeReport } from '@hydra/gateway'
import { plainText } from './plain-text.ts'

const SHORT_ID = 8
const TIME_LENGTH = 'hh:mm:ss'.length
const FIRST_NOTES = 3

/** One line for a person: who asked, where it went, how it ended, what it cost. Notes that are usual for it are only counted. */
export function prettyLine(
  report: ExchangeReport,
  now: Date,
  usual: ReadonlySet<string> = new Set(),
): string {
  const parts = [
    timeWords(now),
    agentWords(report),
    whereTo(report),
    statusOf(report),
    timesOf(report),
    tokensOf(report),
    costOf(report),
    count(report.toolCalls, 'call'),
    count(report.retries, 'retry', 'retries'),
    loopOf(report),
    notesOf(report, usual),
    errorOf(report),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

/** The time of day. */
export function timeWords(now: Date): string {
  return styleText('dim', now.toTimeString().slice(0, TIME_LENGTH))
}

/** Who asked. */
export function agentWords({ agent }: Pick<ExchangeReport, 'agent'>): string {
  const session = agent.session === undefined ? '' : ` ${agent.session.slice(0, SHORT_ID)}`
  const name = plainText(agent.name + session)
  return agent.kind === 'client' ? name : `${styleText('bold', agent.kind)} ${name}`
}

function whereTo({ method, path, route, clientModel, upstream, upstreamModel }: ExchangeReport): string {
  if (clientModel === undefined) return plainText(`${method} ${path}`)
  if (upstream === undefined) return plainText(clientModel)
  return plainText(`${clientModel} → ${upstream} ${upstreamModel ?? ''} (${route ?? ''})`)
}

function statusOf({ status, outcome }: ExchangeReport): string {
  if (outcome === 'aborted') return styleText('yellow', 'client gone')
  return styleText(outcome === 'answered' ? 'green' : 'red', String(status))
}

function timesOf({ firstByte, duration }: ExchangeReport): string {
  const first = firstByte === undefined ? '' : `first ${seconds(firstByte)}, `
  return `${first}${seconds(duration)}`
}

function tokensOf({ usage, isEstimated }: ExchangeReport): string {
  if (usage === undefined) return ''
  const cached = usage.cache_read_input_tokens ?? 0
  const input = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0)
  const about = isEstimated === true ? ' (estimated)' : ''
  return `in ${input}${cached > 0 ? ` (${cached} cached)` : ''}, out ${usage.output_tokens}${about}`
}

/** Half a cent has to be seen as well as ten dollars. */
function costOf({ cost }: ExchangeReport): string {
  if (cost === undefined) return ''
  if (cost.usd === undefined) return styleText('dim', 'cost unknown')
  return `$${cost.usd.toFixed(cost.usd === 0 || cost.usd >= 1 ? 2 : 4)}`
}

function loopOf({ loop }: ExchangeReport): string {
  if (loop === undefined) return ''
  const words = { warn: '', notify: ', the model was told', stop: ', stopped' }[loop.mode]
  return styleText('yellow', plainText(`loop: ${loop.tool} ${loop.count} times${words}`))
}

function notesOf({ notes }: ExchangeReport, usual: ReadonlySet<string>): string {
  const others = notes.filter(({ code }) => !usual.has(code))
  const usualWords = count(notes.length - others.length, 'usual note')
  if (others.length === 0) return usualWords === '' ? '' : styleText('dim', usualWords)
  const codes = [...new Set(others.map(({ code }) => code))]
  const more = codes.length > FIRST_NOTES ? ', …' : ''
  const words = `${count(others.length, 'note')}: ${codes.slice(0, FIRST_NOTES).join(', ')}${more}`
  return [styleText('dim', words), ...(usualWords === '' ? [] : [styleText('dim', usualWords)])].join('  ')
}

function errorOf({ error }: ExchangeReport): string {
  return error === undefined ? '' : styleText('red', plainText(`${error.kind}: ${error.message}`))
}

/** A time in seconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)}s`
}

function count(number: number, one: string, many: string = `${one}s`): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`
}
