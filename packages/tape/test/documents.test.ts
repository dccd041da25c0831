import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Tape, TapedExchange } from '../src/format/tape.ts'
import { readTape } from '../src/read/read-tape.ts'
import { verifyTape } from '../src/read/verify-tape.ts'
import { temporaryFolder } from './temporary-folder.ts'

const FORMAT = readFileSync(new URL('../../../docs/tape-format.md', import.meta.url), 'utf8')
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const PACKAGE = new URL('../src/index.ts', import.meta.url).href

function blockOf(document: string, language: string, index = 0): string {
  const blocks = [...document.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\\n\`\`\``, 'g'))]
  return blocks[index]?.[1] ?? ''
}

function text(chunks: readonly { readonly bytes: Uint8Array }[]): string {
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8')
}

function timeOf(tape: Tape, number: number): number {
  const moments = tape.exchanges.flatMap((exchange) => exchange.moments)
  return moments.find(({ event }) => event[0] === number)?.at ?? Number.NaN
}

function bodyOf(exchange: TapedExchange): string {
  return Buffer.from(exchange.request?.body ?? []).toString('utf8')
}

test('the example of the format is read as the document says', () => {
  const folder = temporaryFolder()
  const name = /`blobs\/..\/([0-9a-f]{64})`/.exec(FORMAT)?.[1] ?? ''
  mkdirSync(join(folder, 'blobs', name.slice(0, 2)), { recursive: true })
  writeFileSync(join(folder, 'blobs', name.slice(0, 2), name), blockOf(FORMAT, 'text'))
  // Without a line feed at its end, the last line is torn.
  writeFileSync(join(folder, 'tape.jsonl'), blockOf(FORMAT, 'jsonl'))
  const tape = readTape(folder)
  expect(tape.problems).toEqual([{ line: 16, reason: 'the line is torn: it has no end; it is cut off' }])
  expect(verifyTape(tape)).toEqual(tape.problems)
  const [first, second] = tape.exchanges as [TapedExchange, TapedExchange]
  const [call] = first.calls
  expect(FORMAT).toContain(`\`${bodyOf(first)}\``)
  expect(text(call?.answer.chunks ?? [])).toContain('ü"}}]}\n\ndata: [DONE]\n\n')
  expect(call?.answer.chunks).toHaveLength(3)
  expect(text(first.answer.chunks.slice(1))).toBe('event: message_stop\ndata: {}\n\n')
  expect([first.end?.outcome, second.end]).toEqual(['answered', undefined])
  expect(timeOf(tape, 6) - timeOf(tape, 5)).toBe(-1500)
})

test('the examples of the README run', () => {
  const folder = temporaryFolder()
  for (const index of [0, 2]) {
    const code = blockOf(README, 'ts', index).replaceAll('@hydra/tape', PACKAGE)
    const { stderr, status } = spawnSync(
      process.execPath,
      ['--input-type=module-typescript', '--eval', code],
      { cwd: folder, encoding: 'utf8' },
    )
    expect([stderr, status]).toEqual(['', 0])
  }
  const recorded = readdirSync(join(folder, 'recordings')).find((name) => name !== '.gitignore') ?? ''
  const path = /readTape\('([^']+)'\)/.exec(README)?.[1] ?? ''
  mkdirSync(join(folder, path))
  writeFileSync(
    join(folder, path, 'tape.jsonl'),
    readFileSync(join(folder, 'recordings', recorded, 'tape.jsonl')),
  )
  const code = `${blockOf(README, 'ts', 1)}\nconsole.log(tape.exchanges.length, tape.problems.length)`
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', code.replaceAll('@hydra/tape', PACKAGE)],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stdout).toBe('1 0\n')
  expect(verifyTape(readTape(join(folder, 'made')))).toEqual([])
})
