import type { Socket } from 'node:net'
import { ask, verdictOn } from '../ask.ts'
import type { Fault, Tally } from '../fault.ts'
import { answerOf, bareAnswerOf } from '../golden.ts'
import { leakedBy, startProxy } from '../proxy-process.ts'
import { type Behaviour, startUpstream } from '../scripted-upstream.ts'
import { inEach, type Setting, SETTINGS, wayOf } from '../settings.ts'
import { inParallel } from '../until.ts'

/** How many places of an answer are cut, for each client, each upstream and each way. */
const PLACES = 60

/** How an answer breaks off: by a reset, by an end that its framing shows, or by one that nothing but its events does. */
type Way = 'rst' | 'fin' | 'bare'

/** Cuts answers at places all over them: none may look whole unless it is. */
async function cutAnswers(setting: Setting, ways: readonly Way[]): Promise<Tally> {
  const { provider, clients, options } = setting
  const whole = Buffer.from(answerOf(provider.events))
  const bare = Buffer.from(bareAnswerOf(provider.events))
  const cuts: Record<Way, Behaviour> = {
    rst: (socket: Socket, at) => void socket.write(whole.subarray(0, at), () => socket.resetAndDestroy()),
    fin: (socket: Socket, at) => void socket.end(whole.subarray(0, at)),
    bare: (socket: Socket, at) => void socket.end(bare.subarray(0, at)),
  }
  const upstream = await startUpstream(cuts)
  const proxy = await startProxy(upstream.url, options)
  const before = proxy.descriptors()
  const cases = clients.flatMap((client) =>
    ways.flatMap((way) => {
      const { length } = way === 'bare' ? bare : whole
      return Array.from({ length: PLACES + 1 }, (_, place) => ({
        client,
        model: `${way}-${Math.round((length * place) / PLACES)}`,
      }))
    }),
  )
  const verdicts = await inParallel(cases.length, 16, async (index) => {
    const { client, model } = cases[index] as (typeof cases)[number]
    const verdict = verdictOn(await ask({ port: proxy.port, client, model }), client)
    if (verdict === 'lie' || verdict === 'lost')
      console.log(`  ${verdict}: ${wayOf(setting, client)}, ${model}`)
    return verdict
  })
  const leaked = await leakedBy(proxy, before)
  await proxy.close()
  await upstream.close()
  return {
    tried: cases.length,
    lies: verdicts.filter((verdict) => verdict === 'lie').length,
    lost: verdicts.filter((verdict) => verdict === 'lost').length,
    leaked,
  }
}

function cutEverywhere(ways: readonly Way[]): Promise<Tally> {
  return inEach(SETTINGS, (setting) => cutAnswers(setting, ways))
}

/** F1 and F2: the upstream breaks off at any byte. */
export const CUT_FAULTS: readonly Fault[] = [
  { name: 'F1 upstream resets at any byte, every pair', run: () => cutEverywhere(['rst']) },
  { name: 'F2 upstream closes at any byte, every pair', run: () => cutEverywhere(['fin', 'bare']) },
]
