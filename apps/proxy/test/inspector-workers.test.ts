import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { ask, askInTurn, killOne } from './several-processes.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

interface Entry {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly state: string
  readonly session: string
}

/** A page that is open: what it was told so far. */
interface OpenPage {
  readonly entries: ReadonlyMap<string, Entry>
  close(): Promise<void>
}

async function start(): Promise<Hydra> {
  const upstream = await opened(startUpstream(answer({ text: 'A rare word: quokka.' })))
  const flags = ['--target-url', upstream.url, '--model', 'm', '--workers', '2', '--log', 'json']
  return opened(startHydra(flags))
}

function url({ port }: Hydra, path: string): string {
  return `http://127.0.0.1:${port}/_hydra/api/${path}`
}

/** Opens the feed of the list, on a connection of its own. */
async function openPage(hydra: Hydra): Promise<OpenPage> {
  const stop = new AbortController()
  const { body } = await fetch(url(hydra, 'feed'), { signal: stop.signal })
  const entries = new Map<string, Entry>()
  const read = async (): Promise<void> => {
    let text = ''
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        if (data === undefined) continue
        const change = JSON.parse(data) as { entries: readonly Entry[]; gone: readonly string[] }
        for (const entry of change.entries) entries.set(entry.id, entry)
        for (const id of change.gone) entries.delete(id)
      }
    }
  }
  read().catch(() => {})
  return opened(Promise.resolve({ entries, close: async () => stop.abort() }))
}

function ended({ entries }: OpenPage): Entry[] {
  return [...entries.values()].filter(({ state, title }) => state === 'clean' && title !== '')
}

/** The processes whose exchanges are shown. */
function processes({ entries }: OpenPage): Set<string | undefined> {
  return new Set([...entries.keys()].map((id) => id.split('-')[1]))
}

test('one page shows the exchanges of all processes, those before it was opened and those that come', async () => {
  const hydra = await start()
  await askInTurn(hydra, 4)
  const page = await openPage(hydra)
  await eventually(() => ended(page).length === 4, 'four exchanges')
  expect(processes(page).size).toBe(2)
  expect(new Set(ended(page).map(({ session }) => session)).size).toBe(1)
  expect(
    ended(page)
      .map(({ number }) => number)
      .toSorted((one, other) => one - other),
  ).toEqual([1, 2, 3, 4])
  await askInTurn(hydra, 2)
  await eventually(() => ended(page).length === 6, 'two more')
  for (const { id } of ended(page)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, each to whichever process answers
    const shown = await fetch(url(hydra, `exchanges/${id}`), { headers: { connection: 'close' } })
    // oxlint-disable-next-line no-await-in-loop
    expect(await shown.text(), id).toContain('quokka')
  }
  const { ids } = (await (await fetch(url(hydra, 'search?words=quokka'))).json()) as { ids: string[] }
  expect(ids).toHaveLength(6)
  const again = await fetch(url(hydra, `exchanges/${ids[0]}/again`), {
    method: 'POST',
    body: '{"model":"m"}',
  })
  expect(again.status).toBe(200)
  await eventually(() => ended(page).length === 7, 'the one that was sent again')
})

test('what a process that died had shown stays, and its successor is on the page', async () => {
  const hydra = await start()
  await askInTurn(hydra, 4)
  const first = await openPage(hydra)
  await eventually(() => ended(first).length === 4, 'four exchanges')
  await killOne(hydra)
  // The process that held the page may have been the one that died.
  const page = await openPage(hydra)
  await eventually(() => ended(page).length >= 4, 'all that was shown before')
  // oxlint-disable-next-line no-await-in-loop -- until the new process has answered
  while (processes(page).size < 3) await ask(hydra).catch(() => {})
  expect(ended(page).length).toBeGreaterThan(4)
})
