import { expect, test } from 'vitest'
import { inputOfText, textOfInput } from './input-text.ts'

test('an input goes out as the text that it came as', () => {
  const text = '{ "path": "/a", "size": 0.100000000000000000001, "of": [{"x": 1.0}] }'
  const input = inputOfText(text)
  expect(input).toEqual({ path: '/a', size: 0.1, of: [{ x: 1 }] })
  expect(textOfInput(input)).toBe(text)
})

test('an input that came as text cannot be changed behind its text', () => {
  const input = inputOfText('{"path":"/a","of":[{"x":1}]}') as { path: string; of: { x: number }[] }
  expect(() => (input.path = '/b')).toThrow(TypeError)
  expect(() => (input.of[0] = { x: 2 })).toThrow(TypeError)
  expect(textOfInput({ ...input, path: '/b' })).toBe('{"path":"/b","of":[{"x":1}]}')
})

test('a text that is no JSON object is no text of an input', () => {
  for (const text of ['', '[1]', '{"a":', 'null', '{"__unparsedToolInput":{"raw":"{","len":1}}']) {
    const input = inputOfText(text)
    expect(textOfInput(input)).toBe(JSON.stringify(input))
  }
})

test('half a character in a field that was said twice does not go out', () => {
  expect(textOfInput(inputOfText('{"a":"\uD800","a":"x"}'))).toBe('{"a":"x"}')
})

test('a nesting bomb is not followed', () => {
  const depth = 200_000
  expect(() => inputOfText(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)).not.toThrow()
})
