import { readFileSync } from 'node:fs'
import { providers } from '@hydra/core'
import { expect, test } from 'vitest'
import * as gateway from '../src/index.ts'

const ADAPTERS = ['express', 'fastify', 'hono'] as const

/** `amazon-q` is called `amazonQ` in a program. */
function presetName(provider: string): string {
  return provider.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
}

const NAMES = Object.keys(providers).map(presetName)

test('every provider has a preset', () => {
  expect(NAMES.filter((name) => !(name in gateway))).toEqual([])
})

test.each(ADAPTERS)('the adapter for %s passes on every preset, and its README names it', (framework) => {
  const read = (file: string): string =>
    readFileSync(new URL(`../../adapter-${framework}/${file}`, import.meta.url), 'utf8')
  const [index, readme] = [read('src/index.ts'), read('README.md')]
  expect(NAMES.filter((name) => !new RegExp(`^  ${name},$`, 'm').test(index))).toEqual([])
  expect(
    NAMES.filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`\`${name}()\``)),
  ).toEqual([])
})
