import { expect, test } from 'vitest'
import { markLasting } from '../../memo/lasting.ts'
import { echoOf, writtenEcho } from './reply.ts'

test('what is repeated is written as JSON.stringify writes it, without what is undefined', () => {
  const body = { tools: [{ type: 'function', name: 'größer' }], user: 'me', text: { verbosity: 'low' } }
  for (const tools of [body.tools, markLasting(body.tools), []]) {
    const echo = { ...echoOf({ ...body, tools }), metadata: undefined }
    expect(JSON.parse(`{${writtenEcho(echo as never)}}`)).toEqual(JSON.parse(JSON.stringify(echo)))
    expect(`{${writtenEcho(echo as never)}}`).toBe(JSON.stringify(echo))
  }
})

test('tools that come with every request are written once', () => {
  let reads = 0
  const tool = {
    get name() {
      reads += 1
      return 'read'
    },
  }
  const echo = echoOf({ tools: markLasting([tool]) })
  reads = 0
  expect(writtenEcho(echo)).toBe(writtenEcho(echo))
  expect(reads).toBe(1)
})
