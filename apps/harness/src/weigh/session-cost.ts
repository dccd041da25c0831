import type { Cost, Prices } from '@hydra/core'
import { readAnswer, upstreamForm } from '@hydra/inspector/summary'
import type { Tape, TapedExchange } from '@hydra/tape'
import { lastCallOf } from '../drift/drift.ts'

/** What a session cost at list price, in US dollars. */
export interface SessionCost {
  /** The sum of what is known; undefined if nothing is. */
  readonly usd: number | undefined
  /** Of how many exchanges the cost is not known, and why not of the first of them. */
  readonly unpriced: number
  readonly unknown: string | undefined
}

/** Knows prices as they were at a time; loaded only for tapes on which no cost was written down. */
export type PricesAt = (time: Date) => Promise<Prices | string>

/** Sums up what the exchanges of a session cost: as it was recorded, or else by the lists of the time of the recording. */
export async function sessionCost(tape: Tape, pricesAt: PricesAt): Promise<SessionCost> {
  const costs: Cost[] = []
  let prices: Prices | string | undefined
  for (const exchange of tape.exchanges) {
    const recorded = exchange.end?.cost
    const call = recorded === undefined ? answeredCall(exchange) : undefined
    // oxlint-disable-next-line no-await-in-loop -- once for a tape
    if (call?.url !== undefined) prices ??= await pricesAt(new Date(tape.header.started))
    const cost = recorded ?? (call === undefined ? undefined : costOf(call, prices))
    if (cost !== undefined) costs.push(cost)
  }
  const known = costs.flatMap(({ usd }) => usd ?? [])
  const unknown = costs.flatMap((cost) => cost.unknown ?? [])
  const usd = known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0)
  return { usd, unpriced: unknown.length, unknown: unknown[0] }
}

interface AnsweredCall {
  readonly upstream: string
  /** Its address, where the tape says it. */
  readonly url: string | undefined
  readonly model: string
  readonly usage: ReturnType<typeof readAnswer>['usage']
}

/** The call that answered an exchange; undefined if no model did. */
function answeredCall(exchange: TapedExchange): AnsweredCall | undefined {
  const call = lastCallOf(exchange)
  const { status } = call?.answer ?? {}
  if (call === undefined || status === undefined || status >= 400) return undefined
  const form = upstreamForm(call)
  if (!form.isMessage) return undefined
  const usage = exchange.usage ?? readAnswer(call.answer, form).usage
  const { upstream = 'unknown', model = '' } = call.via ?? {}
  return { upstream, model, usage, url: addressOf(upstream) }
}

/** Tapes that no proxy recorded name the host in place of an upstream; an upstream's own name tells nothing of prices. */
function addressOf(upstream: string): string | undefined {
  return upstream.includes('.') && URL.canParse(`https://${upstream}`) ? `https://${upstream}` : undefined
}

function costOf({ url, ...call }: AnsweredCall, prices: Prices | string | undefined): Cost {
  if (url === undefined) return { unknown: 'the tape says neither a cost nor an address' }
  if (call.model === '') return { unknown: 'the tape does not say which model answered' }
  if (prices === undefined || typeof prices === 'string') return { unknown: prices ?? 'there are no prices' }
  return prices.cost({ ...call, url, isEstimated: false })
}
