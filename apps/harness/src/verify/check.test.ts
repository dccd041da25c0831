import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTape, ExchangeWriter } from '@hydra/tape'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { surroundings } from '../../test/surroundings.ts'
import type { Command } from '../command.ts'
import { scanCommand } from '../scan/scan-command.ts'
import { showCommand } from '../show/show-command.ts'
import { verifyCommand } from './verify-command.ts'

/** Looks like a key of a provider, and is put together so that no scanner takes this file for a leak. */
const CANARY = ['sk', 'ant', 'api03', 'c4n4ry'.repeat(8)].join('-')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydra-check-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a tape as the recorder does, but without redaction. */
function writeTape(name: string, said: string, pieces: readonly string[] = ['{"type":"message"}']): string {
  const tape = createTape({
    folder: join(folder, name),
    header: { tool: 'hydra/test', redaction: 'none' },
    started: 0,
  })
  const exchange = new ExchangeWriter(tape)
  const body = JSON.stringify({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: said }] })
  exchange.request(1, 'c>', { method: 'POST', path: '/v1/messages', headers: {}, body })
  exchange.head(2, '>c', { status: 200, headers: { 'content-type': 'text/event-stream' } })
  for (const piece of pieces) exchange.data(3, '>c', piece)
  exchange.end(4, '>c')
  exchange.done(4, 'answered')
  tape.close()
  return join(folder, name)
}

async function run(command: Command, ...args: string[]): Promise<{ code: number; out: string }> {
  const around = surroundings()
  const code = await command.run(args, around)
  return { code, out: around.written.out + around.written.err }
}

test('tapes that are in order give 0 and a summary', async () => {
  writeTape('a', 'Hi')
  writeTape('b', 'Hi')
  expect(await run(verifyCommand, folder)).toEqual({ code: 0, out: '2 tapes, 0 problems\n' })
  expect(await run(scanCommand, folder)).toEqual({ code: 0, out: '2 tapes, 0 secrets\n' })
})

test('an edited tape is found by its hash, with line and reason', async () => {
  const file = join(writeTape('a', 'Hi'), 'tape.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Hi', 'Ho'))
  const { code, out } = await run(verifyCommand, folder)
  expect(code).toBe(1)
  expect(out).toMatch(/a: line \d+: exchange 1: the bytes of the leg c> are not those that were recorded/)
  expect(out).toContain('1 tape, 1 problem\n')
  const json = JSON.parse((await run(verifyCommand, folder, '--json')).out) as object
  expect(json).toMatchObject({ ok: false, tapes: [{ findings: [{ reason: expect.any(String) as string }] }] })
})

test('a tape that cannot be read is not in order, and the others are still checked', async () => {
  writeTape('b', 'Hi')
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a', 'tape.jsonl'), 'no tape')
  for (const command of [verifyCommand, scanCommand]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    const { code, out } = await run(command, folder)
    expect(code).toBe(1)
    expect(out).toMatch(/a: CANNOT BE READ: /)
    expect(out).toContain('2 tapes, 0 ')
  }
})

test('a secret is told with file, line and kind, and never itself', async () => {
  writeTape('a', `my key is ${CANARY}, keep it`)
  for (const args of [[folder], [folder, '--json']]) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const { code, out } = await run(scanCommand, ...args)
    expect(code).toBe(1)
    expect(out).toContain('tape.jsonl')
    expect(out).toContain('key')
    expect(out).not.toContain('c4n4ry')
  }
  expect((await run(scanCommand, folder)).out).toMatch(/^\S*a: tape\.jsonl, line 2, byte \d+: key$/m)
})

test('a secret that is cut between two chunks is found', async () => {
  writeTape('a', 'Hi', [`data: ${CANARY.slice(0, 20)}`, `${CANARY.slice(20)}\n\n`])
  const { code, out } = await run(scanCommand, folder)
  expect(code).toBe(1)
  expect(out).not.toContain('c4n4ry')
})

test('a torn line is searched like the others, and is no secret by itself', async () => {
  const torn = '[7,1,2,"c>","req",{"method":"POST","body":"'
  appendFileSync(join(writeTape('a', 'Hi'), 'tape.jsonl'), `${torn}Good morning`)
  expect(await run(scanCommand, folder)).toEqual({ code: 0, out: '1 tape, 0 secrets\n' })
  expect((await run(verifyCommand, folder)).code).toBe(1)
  appendFileSync(join(writeTape('b', 'Hi'), 'tape.jsonl'), `${torn}${CANARY}`)
  const { code, out } = await run(scanCommand, folder)
  expect(code).toBe(1)
  expect(out).toContain('b: tape.jsonl, line 7, byte ')
})

test('nothing named, and nothing there, are mistakes of the user', async () => {
  for (const command of [verifyCommand, scanCommand, showCommand]) {
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    await expect(run(command)).rejects.toThrow(/which tape/)
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    await expect(run(command, join(folder, 'none'))).rejects.toThrow(/there is no such folder/)
    // oxlint-disable-next-line no-await-in-loop -- one command after the other
    await expect(run(command, folder)).rejects.toThrow(/there is no tape\.jsonl/)
  }
})

test('show tells a torn tape: the problem with its line, and the readable rest', async () => {
  const tape = writeTape('a', 'Good morning')
  appendFileSync(join(tape, 'tape.jsonl'), '[7,1,2,"c>","req",{"method":"PO')
  const { code, out } = await run(showCommand, tape)
  expect(code).toBe(1)
  expect(out).toMatch(/PROBLEM {4}line 7: /)
  expect(out).toContain('user       says: Good morning')
})

test('show gives one exchange, JSON, or a page', async () => {
  const tape = writeTape('a', 'Good morning')
  expect((await run(showCommand, tape, '--exchange', '1')).out).toContain('Exchange 1')
  await expect(run(showCommand, tape, '--exchange', '2')).rejects.toThrow(/has no exchange 2; it has 1 to 1/)
  const json = JSON.parse((await run(showCommand, tape, '--json')).out) as object
  expect(json).toMatchObject([{ name: 'a', exchanges: [{ number: 1, request: { messages: 1 } }] }])
  const page = join(folder, 'page.html')
  expect(await run(showCommand, tape, '--html', page)).toEqual({ code: 0, out: `wrote ${page}\n` })
  expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/)
  await expect(run(showCommand, tape, '--html', join(folder, 'no', 'page.html'))).rejects.toThrow(
    /cannot write/,
  )
})

test('show tells which tape cannot be read, and shows the others', async () => {
  writeTape('b', 'Good morning')
  mkdirSync(join(folder, 'a'))
  writeFileSync(join(folder, 'a', 'tape.jsonl'), 'no tape')
  const { code, out } = await run(showCommand, folder)
  expect(code).toBe(1)
  expect(out).toContain('Good morning')
  expect(out).toMatch(/hydra-tape: \S+tape\.jsonl.*: /)
  await expect(run(showCommand, join(folder, 'a'))).rejects.toThrow(/tape\.jsonl/)
})
