import { expect, test } from 'vitest'
import { isText, readDataUrl, textOf } from './data-url.ts'

test.each([
  ['data:image/PNG;base64,AAAA', { mediaType: 'image/png', payload: 'AAAA', isBase64: true }, false],
  [
    'data:text/plain;charset=utf-8;base64,SGk=',
    { mediaType: 'text/plain', payload: 'SGk=', isBase64: true },
    true,
  ],
  [
    'data:application/json;base64,e30',
    { mediaType: 'application/json', payload: 'e30', isBase64: true },
    true,
  ],
  ['data:,a%20b', { mediaType: 'text/plain', payload: 'a%20b', isBase64: false }, true],
])('%s is read', (url, expected, isWords) => {
  expect(readDataUrl(url)).toEqual(expected)
  expect(isText(expected)).toBe(isWords)
})

test.each(['https://host/data:image/png;base64,AAAA', 'JVBERi0x', ''])('%j is no data URL', (url) => {
  expect(readDataUrl(url)).toBeUndefined()
})

test.each([
  ['data:text/plain;base64,w7w=', 'ü'],
  ['data:text/plain;base64,w7w', 'ü'],
  ['data:text/plain;base64,/w==', undefined],
  ['data:,100%25', '100%'],
  ['data:,100%', '100%'],
])('the words of %s are %j', (url, words) => {
  expect(textOf(readDataUrl(url) ?? { mediaType: '', payload: '', isBase64: true })).toBe(words)
})
