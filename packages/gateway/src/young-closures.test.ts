import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = import.meta.dirname
/** A function that is written down where it is assigned to a property: `reply.gone = () => …`. */
const ASSIGNED_FUNCTION =
  /\.#?\w+ (?:\?\?)?= (?:async )?(?:function\b|(?:\([^()]*\)|\w+)(?:: [\w<>[\]| ]+)? =>)/

test('the pattern knows what it looks for', () => {
  for (const line of ['this.#a = () => b', 'x.y = async (z) => {', 'x.y ??= function () {', 'a.b = c => d']) {
    expect(line).toMatch(ASSIGNED_FUNCTION)
  }
  for (const line of [
    'const a = () => b',
    'a.b = c.map((d) => e)',
    'readonly #a = (): void => b',
    'a.b = c',
  ]) {
    expect(line).not.toMatch(ASSIGNED_FUNCTION)
  }
})

test('no function is born old (docs/decisions/0011)', () => {
  const found = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => linesOf(file).filter((line) => ASSIGNED_FUNCTION.test(line)))
  expect(found).toEqual([])
})

function linesOf(file: string): string[] {
  return readFileSync(join(SOURCE, file), 'utf8').split('\n')
}
