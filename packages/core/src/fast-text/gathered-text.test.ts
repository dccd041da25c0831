import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runOf, simpleText } from '../../test/streams/run-of.ts'
import { GatheredText } from './gathered-text.ts'

test('runs and pieces are put together in their order, however long they are', () => {
  const word = fc.oneof(simpleText, fc.constantFrom('"', '\\', '\n', 'ü', '🎉', 'long '.repeat(2000)))
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.array(word, { minLength: 1 }))), fc.nat(), (parts, look) => {
      const gathered = new GatheredText()
      let expected = ''
      for (const [index, part] of parts.entries()) {
        if (typeof part === 'string') gathered.push(part)
        else gathered.pushRun(runOf(part))
        expected += typeof part === 'string' ? part : part.join('')
        expect(gathered.isEmpty).toBe(expected === '')
        if (index === look) expect(gathered.text).toBe(expected)
      }
      expect(gathered.text).toBe(expected)
    }),
  )
})

test('it is empty until something comes', () => {
  const gathered = new GatheredText()
  expect(gathered.isEmpty).toBe(true)
  expect(gathered.text).toBe('')
  gathered.pushRun(runOf(['a']))
  expect(gathered.isEmpty).toBe(false)
})
