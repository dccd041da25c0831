import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTape } from '@hydra/tape'
import { answer, startUpstream } from '@hydra/testkit'
import { expect, test } from 'vitest'
import type { ExchangeEntry, ExchangePage, SessionEntry } from '../src/page/page-data.ts'
import { startLive } from './live-server.ts'

const TAPES = fileURLToPath(new URL('../../../fixtures/tapes', import.meta.url))

interface Listed {
  readonly sessions: readonly SessionEntry[]
  readonly entries: readonly ExchangeEntry[]
}

/** Reads the feed of the list until it has told enough. */
async function readList(url: string, isEnough: (listed: Listed) => boolean): Promise<Listed> {
  const stop = new AbortController()
  const { body } = await fetch(`${url}/_hydra/api/feed`, { signal: stop.signal })
  const sessions = new Map<string, SessionEntry>()
  const entries = new Map<string, ExchangeEntry>()
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data === undefined) continue
      const change = JSON.parse(data) as Listed
      for (const session of change.sessions) sessions.set(session.key, session)
      for (const entry of change.entries) entries.set(entry.id, entry)
    }
    const listed = { sessions: [...sessions.values()], entries: [...entries.values()] }
    if (!isEnough(listed)) continue
    stop.abort()
    return listed
  }
  throw new Error('the feed ended')
}

test('tapes of a folder are listed beside what is live, and open like it', async () => {
  const upstream = await startUpstream(answer({ text: 'hello' }))
  const live = await startLive(upstream.url, { tapes: TAPES })
  await live.ask('something live')
  const { sessions, entries } = await readList(
    live.url,
    (listed) =>
      listed.sessions.some(({ name }) => name === 'claude-code-translated-team') &&
      listed.entries.some(({ title }) => title === 'something live'),
  )
  const team = sessions.find(({ name }) => name === 'claude-code-translated-team')
  const own = entries.filter(({ session }) => session === team?.key)
  expect(own.map(({ agent }) => agent.kind)).toEqual(['main', 'subagent', 'subagent', 'main'])
  expect(own[0]?.title).toBe('Let somebody else find the number.')
  const answered = await fetch(`${live.url}/_hydra/api/exchanges/${own[0]?.id}`)
  const page = (await answered.json()) as ExchangePage
  expect(page.summary.request?.fresh.at(-1)?.text).toBeTypeOf('string')
  expect(page.rows.length).toBeGreaterThan(0)
  expect(page.context?.parts.map(({ kind }) => kind)).toContain('tool')
  await live.close()
  await upstream.close()
})

test('an exchange that is saved is a tape with nothing wrong', async () => {
  const upstream = await startUpstream(answer({ text: 'hello from the model', piece: 40 }))
  const live = await startLive(upstream.url)
  await live.ask('save me')
  const saved = await fetch(`${live.url}/_hydra/api/exchanges/live-1/tape`)
  const folder = mkdtempSync(join(tmpdir(), 'hydra-saved-'))
  writeFileSync(join(folder, 'tape.jsonl'), await saved.text())
  const { problems, exchanges } = readTape(folder)
  rmSync(folder, { recursive: true })
  expect(problems).toEqual([])
  expect(exchanges[0]?.answer.chunks.length).toBeGreaterThan(0)
  await live.close()
  await upstream.close()
})
