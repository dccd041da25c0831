import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Exchange } from '../exchange/exchange.ts'
import { nodeExchange } from './node-exchange.ts'

interface Pair {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function pair(): Pair {
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  return { request, response: new ServerResponse(request) }
}

function exchangeOf({ request, response }: Pair, url: string, body?: unknown): Exchange {
  return nodeExchange(request, response, { url, native: undefined, body })
}

test('path and query are told apart', () => {
  expect(exchangeOf(pair(), '/v1/messages?beta=true&a=?')).toMatchObject({
    path: '/v1/messages',
    query: '?beta=true&a=?',
  })
  expect(exchangeOf(pair(), '')).toMatchObject({ method: 'POST', path: '/', query: '' })
})

test('a body comes in pieces', async () => {
  const both = pair()
  const body = exchangeOf(both, '/').readBody(100)
  both.request.push('ab')
  both.request.push('c')
  both.request.push(null)
  expect(await body).toEqual({ bytes: new TextEncoder().encode('abc') })
})

test('a body that the framework has read is taken from it', async () => {
  const both = pair()
  both.request.push(null)
  await both.request.toArray()
  expect(await exchangeOf(both, '/', { a: 1 }).readBody(9)).toEqual({ value: { a: 1 } })
  expect(await exchangeOf(both, '/', 'text').readBody(9)).toEqual({ bytes: Buffer.from('text') })
  expect(await exchangeOf(both, '/', Buffer.from('b')).readBody(9)).toEqual({ bytes: Buffer.from('b') })
})

test('a body that can never come is not waited for', async () => {
  const both = pair()
  both.request.destroy()
  await expect(exchangeOf(both, '/').readBody(100)).rejects.toThrow('cut off')
})

test('a response whose client is gone takes no more, and says so', () => {
  const both = pair()
  both.response.destroy()
  const { reply } = exchangeOf(both, '/')
  expect(reply.isGone).toBe(true)
  reply.head(200, {})
  expect(reply.write('x')).toBe(true)
  reply.end('x')
  reply.close()
  expect(both.response.headersSent).toBe(false)
})
