import { oneOf, parseArguments, UsageError, visibleLine, wholeNumber } from '@hydra/cli'
import { type ClientKey, DOLLAR, type Store, type UsageRow } from '@hydra/team'
import type { ConfiguredKey } from '../config/config.ts'
import { readConfiguredKeys } from '../settings/read-settings.ts'
import { opened } from './keys.ts'
import { USAGE_OPTIONS } from './usage-options.ts'

const DAY = 86_400_000
const MAX_DAYS = 400

const WAYS = ['key', 'owner', 'model', 'agent', 'day'] as const
type Way = (typeof WAYS)[number]

/** One line of the result. */
interface Total {
  readonly name: string
  readonly requests: number
  readonly input: number
  readonly output: number
  readonly usd: number
}

/** `hydra usage`: shows what was used. */
export async function usage(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, { command: 'hydra usage', options: USAGE_OPTIONS })
  const [word] = positionals
  if (word !== undefined) throw new UsageError(`hydra usage takes options only, got '${word}'`)
  const by = oneOf<Way>('by', values.by, WAYS)
  const days = Math.min(MAX_DAYS, Math.max(1, wholeNumber('days', values.days, 30)))
  const store = await opened(values)
  try {
    const to = Math.floor(Date.now() / DAY)
    const rows = await store.usage({ from: to - days + 1, to })
    const configured = await readConfiguredKeys(values, process.env)
    const totals = totalsOf(rows, await naming(store, { by, configured }))
    process.stdout.write(shown(totals, by, values))
    return 0
  } finally {
    await store.close()
  }
}

type NameOf = (row: UsageRow) => string

interface Naming {
  readonly by: Way
  /** Keys that are in no store, because a configuration names them. */
  readonly configured: readonly ConfiguredKey[]
}

async function naming(store: Store, { by, configured }: Naming): Promise<NameOf> {
  if (by === 'model') return ({ model }) => model
  if (by === 'agent') return ({ agent }) => agent
  if (by === 'day') return ({ day }) => new Date(day * DAY).toISOString().slice(0, 10)
  const texts = [...(await store.records.all()).values()]
  const stored = texts.map((text) => JSON.parse(text) as ClientKey)
  const keys = new Map([...configured, ...stored].map(({ id, name, owner }) => [id ?? name, { name, owner }]))
  if (by === 'owner') return ({ account }) => keys.get(account)?.owner ?? '(none)'
  return ({ account }) => {
    const name = keys.get(account)?.name
    return name === undefined || name === account ? account : `${account} ${name}`
  }
}

function totalsOf(rows: readonly UsageRow[], nameOf: NameOf): Total[] {
  const totals = new Map<string, Total>()
  for (const row of rows) {
    const name = nameOf(row)
    const { requests, input, output, usd } = totals.get(name) ?? { requests: 0, input: 0, output: 0, usd: 0 }
    totals.set(name, {
      name,
      requests: requests + row.requests,
      input: input + row.input,
      output: output + row.output,
      usd: usd + row.money / DOLLAR,
    })
  }
  return [...totals.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

function shown(
  totals: readonly Total[],
  by: Way,
  { csv, json }: { readonly csv?: boolean; readonly json?: boolean },
): string {
  if (json) return `${JSON.stringify(totals.map(({ name, ...rest }) => ({ [by]: name, ...rest })))}\n`
  const head = [by, 'requests', 'input tokens', 'output tokens', 'usd']
  const rows = totals.map((total) => [
    total.name,
    String(total.requests),
    String(total.input),
    String(total.output),
    total.usd.toFixed(6),
  ])
  if (csv) return [head, ...rows].map((row) => `${row.map(csvField).join(',')}\n`).join('')
  if (rows.length === 0) return 'nothing was used\n'
  return table([head, ...rows])
}

/** A spreadsheet must not take a name for a formula. */
function csvField(text: string): string {
  const safe = /^[=+@-]/.test(text) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) => {
      const cells = row.map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? visibleLine(cell).padEnd(width) : cell.padStart(width)
      })
      return `${cells.join('  ').trimEnd()}\n`
    })
    .join('')
}
