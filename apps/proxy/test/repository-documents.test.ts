import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { AGENTS } from '../src/run/agents/known-agents.ts'
import { PROVIDERS } from '../src/settings/providers.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const DOCUMENTS = globSync(
  ['*.md', 'docs/**/*.md', '.changeset/*.md', '{apps,packages,examples}/*/*.md', 'fixtures/**/README.md'],
  { cwd: ROOT },
).toSorted()

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Prose only: what is in code may look like a link. */
function prose(path: string): string {
  return read(path)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''))
}

/** The name that a heading is linked by. */
function anchorsOf(path: string): string[] {
  const seen = new Map<string, number>()
  const text = read(path).replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = words.trim().replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

function deadLinks(path: string): string[] {
  const links = [...prose(path).matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [file = '', anchor] = link.split('#', 2)
    const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), decodeURI(file)))
    if (target.startsWith('..') || !existsSync(join(ROOT, target))) return true
    if (anchor === undefined) return false
    return !statSync(join(ROOT, target)).isFile() || !anchorsOf(target).includes(anchor)
  })
}

test('documents are found at all', () => {
  expect(DOCUMENTS).toEqual(
    expect.arrayContaining(['README.md', 'docs/glossary.md', 'packages/core/README.md']),
  )
})

const ARCHITECTURE = read('ARCHITECTURE.md')

/** The folders in a folder that hold code, by the files that make them one. */
function foldersIn(path: string, sign: string): readonly string[] {
  return globSync(`${path}/*/${sign}`, { cwd: ROOT }).map((file) => file.split('/').at(-2) ?? '')
}

test('ARCHITECTURE names every package, every app, and every room of core and gateway', () => {
  const rooms = ['core', 'gateway'].flatMap((name) => foldersIn(`packages/${name}/src`, '*.ts'))
  const houses = ['packages', 'apps'].flatMap((path) => foldersIn(path, 'package.json'))
  expect([rooms.length, houses.length].every((count) => count > 15)).toBe(true)
  // The adapters share a row: `packages/adapter-express`, `-fastify`, `-hono`.
  const names = [...new Set([...rooms, ...houses])].map((name) => name.replace(/^adapter(?=-)/, ''))
  const missing = names.filter((name) => !new RegExp(`(?:[/\`-]|adapter)${name}\``).test(ARCHITECTURE))
  expect(missing).toEqual([])
})

test('ARCHITECTURE names no file that is not there', () => {
  const packages = [...ARCHITECTURE.matchAll(/`((?:core|gateway|tape)\/src\/[\w./-]+\.ts)`/g)]
  expect(packages.length).toBeGreaterThan(15)
  const gone = packages
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(ROOT, 'packages', path)))
  expect(gone).toEqual([])
})

test('ARCHITECTURE says which packages a package may import', () => {
  for (const row of ARCHITECTURE.matchAll(/^\| `packages\/(\w+)` .*\|([^|]*)\|$/gm)) {
    const [, name = '', may = ''] = row
    const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as {
      dependencies?: Record<string, string>
    }
    const own = Object.keys(dependencies).flatMap(
      (dependency) => /^@hydra\/(.*)$/.exec(dependency)?.[1] ?? [],
    )
    if (may.trim() === 'any') continue
    expect(
      own.filter((dependency) => !may.includes(dependency)),
      name,
    ).toEqual([])
  }
})

test.each(DOCUMENTS)('%s: every link leads somewhere', (path) => {
  expect(deadLinks(path)).toEqual([])
})

test('the files on the way of a streamed tool call are there, at most 15', () => {
  const [, section = ''] = read('ARCHITECTURE.md').split('## A streamed tool call, from socket to socket')
  const files = [...section.split(/^## /m, 1)[0]!.matchAll(/^\| `([\w/.-]+\.ts)`/gm)].map(
    ([, file = '']) => file,
  )
  expect(files.length).toBeGreaterThan(10)
  expect(files.length).toBeLessThanOrEqual(15)
  expect(files.filter((file) => !existsSync(join(ROOT, 'packages', file)))).toEqual([])
})

/** The rows of the first table below a heading, cell by cell. */
function tableBelow(path: string, heading: string): string[][] {
  const [, section = ''] = read(path).split(`\n${heading}\n`)
  const lines = section.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const rows = lines.slice(first)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const DIALECTS: readonly string[] = registry.names

test('the table of clients and upstreams has a row for each client and a column for each upstream', () => {
  const [head = [], , ...rows] = tableBelow('README.md', '## Every client, every upstream')
  const columns = head.slice(1).map((cell) => /`([^`]+)`/.exec(cell)?.[1])
  expect(columns).toEqual(registry.upstreams.map(({ name }) => name))
  const clients = rows.map(([cell = '']) => /`([^`]+)`/.exec(cell)?.[1])
  expect(clients).toEqual(registry.clients.map(({ name }) => name))
  for (const [index, row] of rows.entries()) {
    // A dialect that can relay says so itself; everything else goes through the hub.
    const expected = columns.map((column) => {
      const isEqual = column === clients[index]
      return isEqual && registry.upstream(column ?? '').relayRequest !== undefined ? 'relayed' : 'translated'
    })
    expect(row.slice(1), clients[index]).toEqual(expected)
  }
})

test('the agents of that table are those that hydra run knows, each with the dialect that it speaks', () => {
  const [, , ...rows] = tableBelow('README.md', '## Every client, every upstream')
  for (const { title, speaks } of AGENTS) {
    const row = rows.find(([cell]) => cell?.includes(`\`${speaks}\``))
    expect(row?.[0], title).toContain(title)
  }
})

test('every provider that is known is named in the README', () => {
  const text = read('README.md')
  const missing = Object.keys(PROVIDERS).filter((name) => !text.includes(`\`${name}\``))
  expect(missing.filter((name) => name !== 'generic')).toEqual([])
})

test('every dialect has a document of its own', () => {
  expect(DIALECTS.filter((name) => !existsSync(join(ROOT, 'docs/dialects', `${name}.md`)))).toEqual([])
})
