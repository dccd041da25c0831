import { styleText } from 'node:util'
import type { ExchangeReport } from '@hydra/gateway'
import { plainText } from './plain-text.ts'

const SHORT_ID = 8
const TIME_LENGTH = 'hh:mm:ss'.length
const FIRST_NOTES = 3

/** One line for a person: who asked, where it went, how it ended, what it cost. */
export function prettyLine(report: ExchangeReport, now: Date): string {
  const parts = [
    styleText('dim', now.toTimeString().slice(0, TIME_LENGTH)),
    agentOf(report),
    whereTo(report),
    statusOf(report),
    timesOf(report),
    tokensOf(report),
    count(report.toolCalls, 'call'),
    count(report.retries, 'retry', 'retries'),
    loopOf(report),
    notesOf(report),
    errorOf(report),
  ]
  return parts.filter((part) => part !== '').join('  ')
}

function agentOf({ agent }: ExchangeReport): string {
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

function tokensOf({ usage }: ExchangeReport): string {
  if (usage === undefined) return ''
  const cached = usage.cache_read_input_tokens ?? 0
  const input = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0)
  return `in ${input}${cached > 0 ? ` (${cached} cached)` : ''}, out ${usage.output_tokens}`
}

function loopOf({ loop }: ExchangeReport): string {
  if (loop === undefined) return ''
  const words = { warn: '', notify: ', the model was told', stop: ', stopped' }[loop.mode]
  return styleText('yellow', plainText(`loop: ${loop.tool} ${loop.count} times${words}`))
}

function notesOf({ notes }: ExchangeReport): string {
  if (notes.length === 0) return ''
  const codes = [...new Set(notes.map(({ code }) => code))]
  const more = codes.length > FIRST_NOTES ? ', …' : ''
  return styleText('dim', `${count(notes.length, 'note')}: ${codes.slice(0, FIRST_NOTES).join(', ')}${more}`)
}

function errorOf({ error }: ExchangeReport): string {
  return error === undefined ? '' : styleText('red', plainText(`${error.kind}: ${error.message}`))
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)}s`
}

function count(number: number, one: string, many: string = `${one}s`): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`
}
