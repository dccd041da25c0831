import { SECRET_SHAPES } from '@hydra/core'
import { describe, expect, test } from 'vitest'
import { exampleOf, ORDINARY_NAMES } from '../../../core/test/secret-examples.ts'
import { createRedaction } from './redaction.ts'
import { mayHaveShapes } from './shapes.ts'

/** So much of a key has not come when the stream breaks off. */
const MISSING = 16

describe.each(SECRET_SHAPES)('a key of $owner', (shape) => {
  const key = exampleOf(shape)

  test('is covered on a tape', () => {
    expect(mayHaveShapes(key)).toBe(true)
    const text = createRedaction().forTape().text(`KEY="${key}"`)
    expect(text).toMatch(/^KEY="~K1-+~"$/)
  })

  test('is covered as far as it came when the stream broke off', () => {
    const stream = createRedaction().forTape().stream()
    const piece = stream.push(`data: ${key.slice(0, -MISSING)}`)
    stream.cut()
    expect(piece.text).not.toContain(key.slice(4, -MISSING))
  })
})

test.each(ORDINARY_NAMES)('%s stays', (name) => {
  expect(createRedaction().forTape().text(name)).toBe(name)
})
