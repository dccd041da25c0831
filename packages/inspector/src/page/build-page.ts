import { createHash } from 'node:crypto'
import type { ViewerBundle } from '../bundle/viewer-bundle.ts'
import type { ExchangeEntry, PageIndex, SessionEntry } from './page-data.ts'
import { pageTemplate } from './page-template.ts'
import { PieceTable } from './request-parts.ts'
import { scriptJson } from './script-json.ts'
import { readTapePages, sessionEntry, type SummarizedTape } from './tape-pages.ts'

/** Builds one self-contained page of tapes: it loads nothing, and runs and styles only what is in it by its hash. */
export function buildPage(tapes: readonly SummarizedTape[], { script, styles }: ViewerBundle): string {
  const table = new PieceTable()
  const elements: string[] = []
  const sessions: SessionEntry[] = []
  const exchanges: ExchangeEntry[] = []
  for (const [place, tape] of tapes.entries()) {
    const session = sessionEntry(tape, `tape-${place}`)
    sessions.push(session)
    const read = readTapePages(tape, session, table)
    exchanges.push(...read.map(({ entry }) => entry))
    elements.push(...read.map(({ entry, page }) => dataElement(entry.id, page())))
  }
  const index: PageIndex = { sessions, exchanges }
  return pageTemplate({
    policy: policyOf(styles, script),
    styles,
    data: [dataElement('index', index), dataElement('pieces', table.list), ...elements].join('\n'),
    script,
  })
}

function dataElement(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${scriptJson(value)}</script>`
}

function policyOf(styles: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hashOf(styles)}'`,
    `script-src 'sha256-${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
