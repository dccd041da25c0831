import { type Document, titleOf } from '../document.ts'

interface Item {
  readonly text: string
  readonly link: string
}

/** A group of the sidebar, as the generator of the site takes it. */
export interface Group {
  readonly text: string
  readonly collapsed: boolean
  readonly items: readonly Item[]
}

/** Which pages are for whom, in the order in which they are read. */
const GROUPS: Readonly<Record<string, readonly RegExp[]>> = {
  Start: [/^(?:install|matrix)\.md$/, /^programs\/hydra\.md$/],
  'You have an agent': [
    /^(?:agents|providers|configuration|team|inspector|observability|troubleshooting)\.md$/,
    /^(?:loop-guard|explain|relay|security|reliability|deploy)\.md$/,
  ],
  'You have a server': [/^packages\/(?:gateway|adapter-.*)\.md$/, /^agent-loop\.md$/, /^packages\//],
  'You have tests': [/^testing\.md$/, /^replay\.md$/, /^programs\/hydra-tape\.md$/, /^tape-/],
  Agents: [/^agents\//],
  Providers: [/^providers\//],
  Dialects: [/^dialects\//],
  'How it is made': [/^architecture\.md$/, /^glossary\.md$/, /^contributing\.md$/, /^decisions\/index\.md$/],
}

/** What long titles are called in the sidebar. */
const SHORT: Readonly<Record<string, string>> = {
  'matrix.md': 'Clients × providers',
  'programs/hydra.md': 'hydra, the proxy',
  'programs/hydra-tape.md': 'hydra-tape, the recordings',
  'configuration.md': 'Configuration',
  'inspector.md': 'Inspector',
  'observability.md': 'Log, money and metrics',
  'team.md': 'A team',
  'explain.md': 'Explain a translation',
  'relay.md': 'Relay',
  'security.md': 'Security',
  'deploy.md': 'Deploy',
  'testing.md': 'A tape in five minutes',
  'replay.md': 'How recordings are found',
}

const OPEN: ReadonlySet<string> = new Set([
  'Start',
  'You have an agent',
  'You have a server',
  'You have tests',
])

/** The sidebar: every page once, a page that nobody thought of at the end. */
export function sidebar(pages: readonly Document[]): readonly Group[] {
  const seen = new Set<string>(['index.md'])
  const groups = Object.entries(GROUPS).map(([text, patterns]) => {
    const items = patterns.flatMap((pattern) =>
      pages
        .filter(({ path }) => pattern.test(path) && !seen.has(path) && seen.add(path))
        .map((page) => itemOf(page)),
    )
    return { text, collapsed: !OPEN.has(text), items }
  })
  const rest = pages.filter(({ path }) => !seen.has(path) && !path.startsWith('decisions/'))
  return [...groups, { text: 'More', collapsed: true, items: rest.map((page) => itemOf(page)) }].filter(
    ({ items }) => items.length > 0,
  )
}

function itemOf({ path, text }: Document): Item {
  return {
    text: SHORT[path] ?? titleOf(text).replaceAll('`', ''),
    link: `/${path.replace(/(?:index)?\.md$/, '')}`,
  }
}
