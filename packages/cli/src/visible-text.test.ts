import { expect, test } from 'vitest'
import { shortened, visibleJson, visibleLine, visibleText } from './visible-text.ts'

test('what could control a terminal is written out, and readable text stays', () => {
  expect(visibleText('a\tb\nc ä 😀')).toBe('a\tb\nc ä 😀')
  expect(visibleText('\u001B[2J\u202E\uD800')).toBe('\\u{1b}[2J\\u{202e}\\u{d800}')
})

test('a line has no breaks, and a long text says how much is missing', () => {
  expect(visibleLine(' a\r\n b\u0007 ')).toBe('a b\\u{7}')
  expect(shortened('abcdef', 4)).toBe('abcd… (2 characters more)')
})

test('JSON keeps its value', () => {
  const value = { text: 'a\u001B\u202E\nb' }
  expect(visibleJson(value, 0)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(visibleJson(value))).toEqual(value)
})
