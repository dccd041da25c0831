import { text } from 'node:stream/consumers'
import { columns, didYouMean, parseArguments, UsageError, visibleLine } from '@hydra/cli'
import { type ClientKey, hashOf, newKey, newKeyId, type Store } from '@hydra/team'
import { readStoreAddress } from '../settings/read-settings.ts'
import { KEYS_OPTIONS } from './keys-options.ts'
import { type KeyOptions, rightsOf, shownRights } from './key-rights.ts'
import { openTeamStore } from './open-team-store.ts'

const COMMAND = 'hydra keys'
const ACTIONS = ['create', 'list', 'show', 'revoke', 'rotate', 'hash'] as const
const WITH_ID: ReadonlySet<string> = new Set(['show', 'revoke', 'rotate'])

/** `hydra keys`: makes, lists and revokes the keys of a team. */
export async function keys(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, { command: COMMAND, options: KEYS_OPTIONS })
  const [action, id, more] = positionals
  const known = ACTIONS.find((name) => name === action)
  if (known === undefined) {
    const hint = action === undefined ? undefined : didYouMean(action, ACTIONS)
    throw new UsageError(`expected ${ACTIONS.join(', ')}; ${hint ?? `see ${COMMAND} --help`}`)
  }
  const unexpected = WITH_ID.has(known) ? more : id
  if (unexpected !== undefined) throw new UsageError(`${COMMAND} ${known}: unexpected '${unexpected}'`)
  if (known === 'hash') return printHash()
  const store = await opened(values)
  try {
    return await act(known, { store, id, values })
  } finally {
    await store.close()
  }
}

interface Action {
  readonly store: Store
  readonly id: string | undefined
  readonly values: KeyOptions
}

function act(name: Exclude<(typeof ACTIONS)[number], 'hash'>, action: Action): Promise<number> {
  switch (name) {
    case 'create':
      return create(action)
    case 'list':
      return list(action)
    case 'show':
      return show(action)
    case 'revoke':
      return revoke(action)
    case 'rotate':
      return rotate(action)
  }
}

/** A command has more time than a request. */
const TIMEOUT = 5000

/** The store of a command: one that ends with the process would keep nothing. */
export async function opened({ store, config }: { store?: string; config?: string }): Promise<Store> {
  const address = await readStoreAddress({ store, config }, process.env)
  if (address === undefined || address === 'memory') {
    throw new UsageError(
      'where are the keys kept? set --store file:PATH or --store redis://HOST, or HYDRA_STORE',
    )
  }
  const found = await openTeamStore(address, { timeout: TIMEOUT })
  try {
    await found.ping()
    return found
  } catch (thrown) {
    await found.close()
    throw new UsageError(`store ${found.name}: ${thrown instanceof Error ? thrown.message : 'unreachable'}`)
  }
}

async function create({ store, values }: Action): Promise<number> {
  const { name } = values
  if (name === undefined || name.trim() === '') throw new UsageError('who is the key for? type --name NAME')
  const rights = rightsOf(values, Date.now())
  const key = newKey()
  const record = { id: newKeyId(), name, hash: hashOf(key), created: new Date().toISOString(), ...rights }
  await write(store, record)
  print(values, { ...withoutHash(record), key }, [`${record.id}  ${visibleLine(name)}`, key, ONCE])
  return 0
}

const ONCE = 'Keep it now: it is not shown again.'

async function list({ store, values }: Action): Promise<number> {
  const records = await all(store)
  const rows = records.map((record): [string, string] => [
    `${record.id}  ${stateOf(record).padEnd(7)}  ${visibleLine(record.name)}`,
    visibleLine(shownRights(record)),
  ])
  print(values, records.map(withoutHash), rows.length === 0 ? ['there are no keys yet'] : columns(rows))
  return 0
}

async function show({ store, id, values }: Action): Promise<number> {
  const record = await find(store, id)
  const { account } = await store.look(record.id, record.limits ?? {})
  const { spent, held } = account
  const lines = [
    `${record.id}  ${stateOf(record)}  ${visibleLine(record.name)}`,
    visibleLine(shownRights(record)),
    `today ${spent.day.tokens} tokens, this week ${spent.week.tokens}, this month ${spent.month.tokens}`,
    `under way ${held.count}, reserved ${held.tokens} tokens`,
  ]
  print(values, { ...withoutHash(record), spent, held }, lines)
  return 0
}

async function revoke({ store, id, values }: Action): Promise<number> {
  const record = await find(store, id)
  const revoked = record.revoked ?? new Date().toISOString()
  await write(store, { ...record, revoked })
  print(values, { id: record.id, revoked }, [`${record.id} is revoked`])
  return 0
}

/** A new key for the same account: what was spent stays spent, and the old one is revoked. */
async function rotate({ store, id, values }: Action): Promise<number> {
  const record = await find(store, id)
  if (record.revoked !== undefined) throw new UsageError(`${record.id} is revoked; make a new key`)
  const key = newKey()
  const now = new Date().toISOString()
  await write(store, { ...record, hash: hashOf(key), created: now })
  await write(store, { ...record, revoked: now })
  print(values, { id: record.id, key }, [`${record.id}  ${visibleLine(record.name)}`, key, ONCE])
  return 0
}

async function printHash(): Promise<number> {
  const key = (await text(process.stdin)).trim()
  if (key === '') throw new UsageError('expected a key on standard input')
  process.stdout.write(`${hashOf(key)}\n`)
  return 0
}

async function all(store: Store): Promise<ClientKey[]> {
  const texts = await store.records.all()
  return [...texts.values()]
    .map((record) => JSON.parse(record) as ClientKey)
    .toSorted((a, b) => (a.created ?? '').localeCompare(b.created ?? ''))
}

/** The key with this id; one that was rotated counts before its predecessors. */
async function find(store: Store, id: string | undefined): Promise<ClientKey> {
  if (id === undefined) throw new UsageError(`which key? type its id; see ${COMMAND} list`)
  const named = (await all(store)).filter((record) => record.id === id)
  const record = named.find(({ revoked }) => revoked === undefined) ?? named.at(-1)
  if (record !== undefined) return record
  throw new UsageError(`there is no key '${visibleLine(id)}'; see ${COMMAND} list`)
}

function write(store: Store, record: ClientKey): Promise<void> {
  return store.records.put(record.hash, JSON.stringify(record))
}

function withoutHash({ hash: _hash, ...record }: ClientKey): Omit<ClientKey, 'hash'> {
  return record
}

function stateOf({ revoked, expires }: ClientKey): string {
  if (revoked !== undefined) return 'revoked'
  return expires !== undefined && Date.parse(expires) <= Date.now() ? 'expired' : 'valid'
}

function print({ json }: KeyOptions, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
}
