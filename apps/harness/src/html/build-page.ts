import { createHash } from 'node:crypto'
import type { Tape } from '@hydra/tape'
import type { ExchangeAccount, SessionAccount } from '../show/account.ts'
import { exchangePage } from './exchange-page.ts'
import type { ExchangeEntry, PageIndex, SessionEntry } from './page-data.ts'
import { pageTemplate } from './page-template.ts'
import { PieceTable } from './request-parts.ts'
import { scriptJson } from './script-json.ts'
import { STYLES } from './styles/styles.ts'
import { viewerScript } from './viewer-script.ts'

const LONGEST_TITLE = 80

/** A tape and how it is told. */
export interface ToldTape {
  readonly tape: Tape
  readonly account: SessionAccount
}

/** Builds one self-contained page of tapes: it loads nothing, and runs and styles only what is in it by its hash. */
export function buildPage(tapes: readonly ToldTape[]): string {
  const table = new PieceTable()
  const elements: string[] = []
  const sessions = tapes.map(({ tape, account }, session): SessionEntry => {
    const { exchanges, ...rest } = account
    const entries = exchanges.map((exchange, index) => entryOf(exchange, `exchange-${session}-${index}`))
    for (const [index, entry] of entries.entries()) {
      const taped = tape.exchanges[index]
      const told = exchanges[index]
      if (taped === undefined || told === undefined) continue
      elements.push(dataElement(entry.id, exchangePage(taped, told, table)))
    }
    return { ...rest, exchanges: entries }
  })
  const index: PageIndex = { sessions }
  const script = viewerScript()
  return pageTemplate({
    policy: policyOf(STYLES, script),
    styles: STYLES,
    data: [dataElement('index', index), dataElement('pieces', table.list), ...elements].join('\n'),
    script,
  })
}

function entryOf({ number, request, ending, times, notes }: ExchangeAccount, id: string): ExchangeEntry {
  const said = request?.fresh.findLast(({ kind }) => kind === 'text' || kind === 'result')
  const words = said === undefined ? (request?.path ?? '') : `${said.name ?? ''} ${said.text}`
  const line = words.slice(0, 400).replaceAll(/\s+/g, ' ').trim()
  const title = line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE).toWellFormed()}…` : line
  return { id, number, title, kind: ending.kind, span: times.over - times.begun, notes: notes.length }
}

function dataElement(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${scriptJson(value)}</script>`
}

function policyOf(styles: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hashOf(styles)}'`,
    `script-src 'sha256-${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
