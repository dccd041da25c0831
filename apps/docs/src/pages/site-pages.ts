import { existsSync, globSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { type Document, titleOf } from '../document.ts'
import { ROOT, readText } from '../repository.ts'
import { agentPages } from './agent-pages.ts'
import { homePage } from './home-page.ts'
import { matrixPage } from './matrix-page.ts'
import { providerPages } from './provider-pages.ts'

/** Pages that are made from the code, and not written in `docs`. */
export function generatedPages(): readonly Document[] {
  return [homePage(), matrixPage(), ...agentPages(), ...providerPages(), decisionsPage()]
}

/** All pages of the site but the reference of the API, which is made from the types. */
export function sitePages(): readonly Document[] {
  const places = sitePlaces()
  const written = [...places].map(([source, path]) => ({
    path,
    text: withLinks(readText(source), { source, path, places }),
  }))
  return [...generatedPages(), ...written]
}

/** Where the documents of the repository are on the site. */
export function sitePlaces(): ReadonlyMap<string, string> {
  const docs = globSync('docs/**/*.md', { cwd: ROOT })
    .toSorted()
    .map((path) => [path, path.slice('docs/'.length)] as const)
  const packages = globSync('packages/*/README.md', { cwd: ROOT })
    .toSorted()
    .filter((path) => !readText(join(dirname(path), 'package.json')).includes('"private": true'))
    .map((path) => [path, `packages/${basename(dirname(path))}.md`] as const)
  return new Map([
    ...docs,
    ...packages,
    ['apps/proxy/README.md', 'programs/hydra.md'],
    ['apps/harness/README.md', 'programs/hydra-tape.md'],
    ['ARCHITECTURE.md', 'architecture.md'],
    ['CONTRIBUTING.md', 'contributing.md'],
    ['deploy/README.md', 'deploy.md'],
  ])
}

interface Move {
  readonly source: string
  readonly path: string
  readonly places: ReadonlyMap<string, string>
}

/** A document with links that lead to the same things from its place on the site. */
function withLinks(text: string, { source, path, places }: Move): string {
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\(([^()\s]+)\)/g,
    (link, mark: string, words: string, to: string) => {
      if (/^[a-z]+:|^#/.test(to)) return link
      const [file = '', anchor] = to.split('#', 2)
      const place = placeOf(posix.join(dirname(source), file), places)
      // What is only in the repository, such as an example, is named and not linked.
      if (place === undefined) return words
      const relative = posix.relative(dirname(path), place) || basename(place)
      return `${mark}[${words}](${relative}${anchor === undefined ? '' : `#${anchor}`})`
    },
  )
}

function placeOf(target: string, places: ReadonlyMap<string, string>): string | undefined {
  const folder = target.replace(/\/$/, '')
  if (target === 'README.md') return 'index.md'
  if (folder === 'docs/decisions') return 'decisions/index.md'
  if (target.startsWith('docs/images/') && existsSync(join(ROOT, target))) return target.slice('docs/'.length)
  return places.get(folder) ?? places.get(`${folder}/README.md`)
}

function decisionsPage(): Document {
  const lines = globSync('docs/decisions/*.md', { cwd: ROOT })
    .toSorted()
    .map((path) => `- [${titleOf(readText(path))}](${basename(path)})`)
  return { path: 'decisions/index.md', text: `# Decisions\n\nWhy it is as it is.\n\n${lines.join('\n')}\n` }
}
