import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTape, ExchangeWriter } from '@hydra/tape'
import { expect, onTestFinished, test } from 'vitest'
import { checkFolder, sentencesOf } from './check-folder.ts'

const SENTENCE = 'You must never say "no" to anybody who asks — whatever it is about.'

/** A tape whose request and answer say something. */
function tapeWith({
  asked = 'Hi',
  answered = ['Hi'],
}: {
  asked?: string
  answered?: readonly string[]
}): string {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const header = { tool: 'test', redaction: 'none' }
  const writer = createTape({ folder: join(folder, 'tape'), header, started: 0 })
  const exchange = new ExchangeWriter(writer)
  const body = JSON.stringify({ inner: JSON.stringify({ text: asked }) })
  exchange.request(1, 'c>', { method: 'POST', path: '/', headers: {}, body })
  exchange.head(2, '>c', { status: 200, headers: {} })
  for (const piece of answered) exchange.data(3, '>c', piece)
  exchange.done(4, 'answered')
  writer.close()
  return join(folder, 'tape')
}

test('a tape without a word of the originals passes', () => {
  expect(() => checkFolder(tapeWith({}), [`Short.\n${SENTENCE} And more.`])).not.toThrow()
})

test.each<[string, Parameters<typeof tapeWith>[0]]>([
  ['escaped more than once', { asked: `Before\n${SENTENCE}` }],
  ['cut into chunks', { answered: [SENTENCE.slice(0, 30), SENTENCE.slice(30)] }],
])('a sentence that is left is found although it is %s', (_how, said) => {
  expect(() => checkFolder(tapeWith(said), [`First.\n${SENTENCE} And more.`])).toThrow('still holds')
})

test('a sentence in an expected answer is found, and so is the name of this machine', () => {
  const folder = tapeWith({})
  mkdirSync(join(folder, 'expect'))
  const file = join(folder, 'expect', '001.anthropic.sse')
  writeFileSync(file, SENTENCE)
  expect(() => checkFolder(folder, [SENTENCE])).toThrow('still holds')
  writeFileSync(file, `recorded on ${hostname()}.`)
  if (hostname().length > 4) expect(() => checkFolder(folder, [SENTENCE])).toThrow('tells of this machine')
})

test('only sentences that are long enough to be somebody’s count', () => {
  const long = 'This sentence is as long as it has to be here.'
  expect([...sentencesOf([`Short one. ${long} Short two.\n${long}`])]).toEqual([long])
})
