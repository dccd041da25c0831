import { expect, test } from 'vitest'
import { closing, expectNothingUnhandled, inTime } from './eventually.ts'
import { chatUpstream, post, startProxy } from './proxy.ts'

expectNothingUnhandled()
const opened = closing()

test('two gateways that lead to each other refuse, and say why', async () => {
  let second = ''
  const toSecond = {
    ...chatUpstream('', { dialect: 'anthropic' }),
    get url() {
      return second
    },
  }
  const first = await opened(startProxy({ upstreams: { up: toSecond } }))
  const back = await opened(
    startProxy({ upstreams: { up: chatUpstream(first.url, { dialect: 'anthropic' }) } }),
  )
  second = back.url
  const response = await inTime(post(first), 'a refusal')
  expect(response.status).toBeGreaterThanOrEqual(500)
  expect(await response.text()).toContain('the request has come back to the gateway that sent it')
  // The client's own request, and the one that came back.
  expect(first.reports).toHaveLength(2)
  expect(back.reports).toHaveLength(1)
})

test('a gateway behind another one is no loop', async () => {
  const last = await opened(startProxy({}))
  const first = await opened(
    startProxy({ upstreams: { up: chatUpstream(last.url, { dialect: 'anthropic' }) } }),
  )
  const response = await inTime(post(first), 'an answer')
  // The last one has an upstream that nobody runs; that is all that is wrong.
  expect(await response.text()).toContain('the connection was refused')
})
