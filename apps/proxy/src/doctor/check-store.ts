import { randomUUID } from 'node:crypto'
import { openStore, type Store } from '@hydra/team'
import type { Settings } from '../settings/read-settings.ts'
import { bad, type Finding, good, odd } from './finding.ts'

/** Longer than this a request would notice. */
const SLOW = 20

/** Looks whether the store of a team can be used, and how long it takes. */
export async function* checkStore({ team }: Settings): AsyncGenerator<Finding> {
  if (team === undefined) return
  const opened = await openStore(team.store).catch((thrown: unknown) => bad(messageOf(thrown)))
  if ('level' in opened) yield opened
  else yield* checkOpened(opened, team.keys.length)
}

async function* checkOpened(store: Store, configured: number): AsyncGenerator<Finding> {
  try {
    await store.ping()
    const begun = performance.now()
    const account = 'doctor'
    const id = randomUUID()
    const demand = { rate: 0, tokens: 0, money: 0 }
    await store.reserve({ account, id, limits: {}, demand, lease: 1000 })
    await store.settle({ account, id, limits: {}, used: { tokens: 0, money: 0 } })
    const took = Math.round(performance.now() - begun)
    const text = `store ${store.name}: a request is counted in ${took} ms`
    yield took > SLOW ? odd(`${text}; that is slow: is it far away?`) : good(text)
    const count = (await store.records.all()).size + configured
    yield count > 0
      ? good(`keys: ${count}`)
      : odd('keys: there are none yet; make one with hydra keys create')
  } catch (thrown) {
    yield bad(`store ${store.name}: ${messageOf(thrown)}`)
  } finally {
    await store.close()
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
