import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { playTape, readTape } from '@hydra/tape'
import { eventually } from '@hydra/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { COMMANDS } from '../src/commands.ts'
import { runCommandLine } from '../src/cli/run-command-line.ts'
import { exchange, saying } from './exchanges.ts'
import { recordTape, temporaryFolder } from './record-tape.ts'
import { type KeptSurroundings, surroundings } from './surroundings.ts'

/** Clears a screen in two ways, and turns the direction of what follows. */
const EVIL = '\u001B[2J\u009B2J\u202Eevil'

/** Everything that controls a terminal; lines end and tabs stand all the same. */
const CONTROL = /[^\P{C}\n\t]/u

/** A tape on which every text is evil, and whose expected answer is another one. */
async function evilTape(): Promise<string> {
  const folder = join(temporaryFolder(), EVIL)
  const evil = exchange({
    pieces: saying(EVIL),
    via: { model: EVIL, upstream: EVIL },
    request: { model: EVIL, messages: [{ role: 'user', content: EVIL }] },
  })
  const odd = exchange({ number: 2 })
  const path = `/v1/${EVIL}`
  recordTape([evil, { ...odd, ...(odd.request && { request: { ...odd.request, path } }) }], folder)
  await runCommandLine(COMMANDS, ['regress', folder, '--update'], surroundings())
  for (const name of readdirSync(join(folder, 'expect'))) {
    writeFileSync(join(folder, 'expect', name), `${EVIL}\nevent: ${EVIL}\ndata: ${EVIL}\n\n`)
  }
  writeFileSync(join(folder, 'tape.jsonl'), `[9,9,9,"${EVIL}`, { flag: 'a' })
  return folder
}

function expectHarmless({ written }: KeptSurroundings): void {
  const text = written.out + written.err
  expect(text).toContain('evil')
  expect(CONTROL.exec(text)?.[0]).toBeUndefined()
}

test.for([
  ['regress'],
  ['regress', '--through', 'express'],
  ['chaos', '--runs', '5', '--sockets', '0', '--limit', '10'],
  ['shrink', '--out', 'OUT'],
  ['show'],
  ['verify'],
])('no text of a tape controls the terminal: %j', async ([name = '', ...options]) => {
  const folder = await evilTape()
  for (const format of [[], ['--json']]) {
    const typed = options.map((word) => (word === 'OUT' ? join(temporaryFolder(), 'small') : word))
    const around = surroundings()
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    await runCommandLine(COMMANDS, [name, folder, ...typed, ...format], around)
    expectHarmless(around)
  }
})

test('nor does what drive finds different', async () => {
  const folder = await evilTape()
  const tape = readTape(folder)
  const chunks = [{ at: 0, bytes: Buffer.from(`"${EVIL}"`) }]
  const changed = tape.exchanges.map((taped) => ({
    ...taped,
    answer: { ...taped.answer, status: 200, chunks },
  }))
  const server = await playTape({ ...tape, exchanges: changed }, { leg: 'proxy' })
  onTestFinished(() => server.stop())
  const around = surroundings()
  await runCommandLine(COMMANDS, ['drive', folder, '--to', server.origin], around)
  expectHarmless(around)
})

test.for([[], ['--json']])('nor does what serve answers or refuses: %j', async (format) => {
  const folder = await evilTape()
  const end = new AbortController()
  const around = surroundings({ signal: end.signal })
  const code = runCommandLine(COMMANDS, ['serve', folder, ...format], around)
  const url = await eventually(() => /http:[^\s"]+/.exec(around.written.out)?.[0], 'the URL of the tape')
  const body = JSON.stringify({ model: `other ${EVIL}`, messages: [{ role: 'user', content: EVIL }] })
  await (await fetch(`${url}/chat/completions`, { method: 'POST', body })).text()
  end.abort()
  expect(await code).toBe(1)
  expectHarmless(around)
})
