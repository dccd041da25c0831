import { expect, test } from 'vitest'
import { cleanWords } from '../errors/upstream-words.ts'
import { keyPattern, SECRET_SHAPES } from './secret-shapes.ts'
import { exampleOf, ORDINARY_NAMES } from '../../test/secret-examples.ts'

test.each(SECRET_SHAPES)('a key of $owner does not reach the client in an error', (shape) => {
  const key = exampleOf(shape)
  const clean = cleanWords(`the key "${key}" is wrong`)
  expect(clean).not.toContain(key.slice(-12))
  expect(clean).toMatch(/^the key "[\w.-]+\*{3}" is wrong$/)
})

test.each(SECRET_SHAPES)('a key of $owner fits the pattern from its beginning to its end', (shape) => {
  expect(exampleOf(shape)).toMatch(new RegExp(`^${shape.beginning}`))
  expect(exampleOf(shape)).toMatch(new RegExp(`^${keyPattern(16)}$`))
})

test.each(ORDINARY_NAMES)('%s is no key', (name) => {
  expect(cleanWords(`undefined: ${name}`)).toBe(`undefined: ${name}`)
  expect(name).not.toMatch(new RegExp(`\\b${keyPattern(16)}`))
})
