import { expect, test } from 'vitest'
import { countText } from './count-text.ts'
import { TextCounter } from './text-counter.ts'

const PROSE = 'The quick brown fox jumps over the lazy dog, and nobody knows why it should.\n'
const CODE = 'export function read(path: string): string {\n  return files.get(path) ?? "none" // naïve\n}\n'
const MEGABYTE = 1024 * 1024

/** Counts texts and says how many characters the tokenizer has seen. */
function counted(texts: Iterable<string>): { tokens: number; looked: number } {
  let looked = 0
  let tokens = 0
  const counter = new TextCounter((text) => {
    looked += text.length
    return countText(text)
  })
  for (const text of texts) tokens += counter.count(text)
  return { tokens, looked }
}

function* repeated(text: string, times: number): Generator<string> {
  for (let time = 0; time < times; time += 1) yield text
}

test('a prompt of ordinary length is counted exactly', () => {
  const texts = [PROSE.repeat(500), CODE.repeat(1000), '', PROSE]
  const { tokens, looked } = counted(texts)
  expect(tokens).toBe(texts.reduce((sum, text) => sum + countText(text), 0))
  expect(looked).toBe(texts.join('').length)
})

test.each([
  ['one long text', [PROSE.repeat(6_000) + CODE.repeat(6_000)]],
  ['many texts', [...repeated(PROSE.repeat(3), 2_000), ...repeated(CODE.repeat(3), 2_000)]],
  ['many texts too short for a sample', [...repeated('a lazy dog', 60_000)]],
])('an estimate from samples is close to the exact count: %s', (_name, texts) => {
  const exact = texts.reduce((sum, text) => sum + countText(text), 0)
  const { tokens, looked } = counted(texts)
  expect(Math.abs(tokens - exact)).toBeLessThan(exact * 0.05)
  expect(looked).toBeLessThan(texts.join('').length / 1.5)
})

test.each([
  ['one text', (length: number) => [PROSE.repeat(length / PROSE.length)]],
  ['many texts', (length: number) => repeated(PROSE, length / PROSE.length)],
])('the tokenizer sees little more of thirty megabytes than of one: %s', (_name, make) => {
  const one = counted(make(MEGABYTE)).looked
  const thirty = counted(make(30 * MEGABYTE)).looked
  expect(one).toBeLessThan(0.35 * MEGABYTE)
  expect(thirty).toBeLessThan(0.5 * MEGABYTE)
})
