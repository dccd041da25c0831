import { expect, test } from 'vitest'
import type { HubError } from '../hub/error.ts'
import { parseJson } from './parse-json.ts'

function refusal(text: string): HubError {
  try {
    parseJson(text)
  } catch (error) {
    return error as HubError
  }
  throw new Error('the text was taken')
}

test('JSON is parsed', () => {
  expect(parseJson(' {"a":[1,"b",null]} ')).toEqual({ a: [1, 'b', null] })
})

test('a body that is no JSON is a 400 that says where it breaks', () => {
  const error = refusal('{"model": "m", "messages" [}')
  expect([error.name, error.status, error.kind]).toEqual(['HubError', 400, 'invalid_request_error'])
  expect(error.message).toBe('expected JSON, got a body that is no JSON at position 26')
})

test('an error does not quote the body', () => {
  expect(refusal('secret=abc').message).toBe('expected JSON, got a body that is no JSON')
})

test('an empty body is called empty', () => {
  expect(refusal(' \n').message).toBe('expected JSON, got an empty body')
})

test('a depth bomb that never closes is a 400', () => {
  expect(refusal('{"a":'.repeat(200_000)).status).toBe(400)
})

test('a depth bomb that closes is parsed, for the decoder to name its place', () => {
  expect(() => parseJson('['.repeat(200_000) + ']'.repeat(200_000))).not.toThrow()
})
