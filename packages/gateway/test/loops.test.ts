import type { DialectName } from '@hydra/core'
import { expect, test } from 'vitest'
import { closing, expectNothingUnhandled, inTime } from './eventually.ts'
import { chatUpstream, post, type Proxy, startProxy } from './proxy.ts'

expectNothingUnhandled()
const opened = closing()

/** How a gateway sends a request on to the other one. */
type Way = 'translating' | 'relaying' | 'passing'

const WAYS: readonly Way[] = ['translating', 'relaying', 'passing']

interface Leading {
  readonly way: Way
  /** The dialect that it is asked in. */
  readonly asked: DialectName
}

/** The dialect in which a gateway asks the next one. */
function spokenBy({ way, asked }: Leading): DialectName {
  if (way !== 'translating') return asked
  return asked === 'anthropic' ? 'openai-chat' : 'anthropic'
}

/** A gateway that leads to an address that is known only later. */
async function leadingTo(url: () => string, leading: Leading): Promise<Proxy> {
  const dialect = spokenBy(leading)
  const up = {
    ...chatUpstream('', { dialect }),
    get url() {
      return dialect === 'anthropic' ? url() : `${url()}/v1`
    },
  }
  const route = leading.way === 'passing' ? { passthrough: true } : { model: 'm' }
  return opened(startProxy({ upstreams: { up }, routes: [{ name: 'all', upstream: 'up', ...route }] }))
}

const MIXTURES = WAYS.flatMap((one) => WAYS.map((other) => [one, other] as const))

test.each(MIXTURES)(
  'a %s and a %s gateway that lead to each other refuse, and say why',
  async (one, other) => {
    let second = 'http://127.0.0.1:9'
    const leading: Leading = { way: one, asked: 'anthropic' }
    const first = await leadingTo(() => second, leading)
    const back = await leadingTo(() => first.url, { way: other, asked: spokenBy(leading) })
    second = back.url
    const response = await inTime(post(first), 'a refusal')
    expect(response.status).toBe(508)
    expect(await response.text()).toContain('the request has come back to the gateway that sent it')
    // The client's own request, and the one that came back.
    expect(first.reports).toHaveLength(2)
    expect(back.reports).toHaveLength(1)
  },
)

test('a gateway behind another one is no loop', async () => {
  const last = await opened(startProxy({}))
  const first = await opened(
    startProxy({ upstreams: { up: chatUpstream(last.url, { dialect: 'anthropic' }) } }),
  )
  const response = await inTime(post(first), 'an answer')
  // The last one has an upstream that nobody runs; that is all that is wrong.
  expect(await response.text()).toContain('the connection was refused')
})
