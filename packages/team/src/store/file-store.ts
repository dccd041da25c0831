import { closeSync, fchmodSync, openSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountAt } from '../account/account.ts'
import type { Limits } from '../account/limits.ts'
import { periodAt } from '../account/period.ts'
import { FileKept } from './file-kept.ts'
import { FileRecords } from './file-records.ts'
import { FileRests } from './file-rests.ts'
import { FileRows } from './file-rows.ts'
import type { FileTables } from './file-tables.ts'
import { renew, reserve, settle, withoutExpired } from './ledger.ts'
import type {
  DayRange,
  Kept,
  Look,
  Order,
  Records,
  Renewal,
  Rests,
  Settlement,
  Store,
  UsageRow,
  Verdict,
} from './store.ts'

const TABLES = `
  CREATE TABLE IF NOT EXISTS account (id TEXT PRIMARY KEY, row TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS held (
    account TEXT NOT NULL, id TEXT NOT NULL, expires REAL NOT NULL,
    rate REAL NOT NULL, tokens REAL NOT NULL, money REAL NOT NULL,
    PRIMARY KEY (account, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS held_expires ON held (account, expires);
  CREATE TABLE IF NOT EXISTS settled (id TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS settled_at ON settled (at);
  CREATE TABLE IF NOT EXISTS usage (
    day INTEGER NOT NULL, account TEXT NOT NULL, model TEXT NOT NULL, agent TEXT NOT NULL,
    requests INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, money INTEGER NOT NULL,
    PRIMARY KEY (day, account, model, agent)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS rest (name TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS kept (
    client TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (client, key));
  CREATE INDEX IF NOT EXISTS kept_by_age ON kept (client, at, bytes);
  CREATE INDEX IF NOT EXISTS kept_at ON kept (at);
  CREATE TABLE IF NOT EXISTS record (id TEXT PRIMARY KEY, text TEXT NOT NULL, version INTEGER NOT NULL) WITHOUT ROWID;
`

/** How long another process on this machine may keep the file locked, and how often it is tried, in milliseconds. */
const LOCK_WAIT = 100
const LOCK_PAUSE = 5
const OPENING_WAIT = 5000

/** What SQLite calls a file that somebody else writes to. */
const SQLITE_BUSY = 5

const ACCESS = 0o600

/** Loaded when it is used: older Nodes warn about SQLite on standard error, which is nobody's business without a file. */
function openDatabase(path: string): DatabaseSync {
  // SQLite gives the files beside it the same rights, so it has to have them before there are any.
  if (path !== ':memory:') {
    const file = openSync(path, 'a', ACCESS)
    fchmodSync(file, ACCESS)
    closeSync(file)
  }
  const sqlite = process.getBuiltinModule('node:sqlite')
  return new sqlite.DatabaseSync(path)
}

/** Keeps the books in a file: they survive a restart, and the processes of one machine share them. */
export class FileStore implements Store {
  readonly name: string
  readonly records: Records
  readonly rests: Rests
  readonly kept: Kept
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #clock: () => number

  constructor(path: string, clock: () => number = Date.now) {
    this.name = `file ${path}`
    this.#clock = clock
    this.#database = openDatabase(path)
    // Workers that begin together wait for the one that makes the tables.
    this.#database.exec(`PRAGMA busy_timeout = ${OPENING_WAIT}`)
    // A write-ahead log without a sync per commit: a crash of the process loses nothing, one of the machine moments.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    this.#database.exec(TABLES)
    // SQLite would wait with all that this process does.
    this.#database.exec('PRAGMA busy_timeout = 0')
    const tables: FileTables = {
      prepare: (sql) => this.#prepare(sql),
      transaction: (action) => this.#transaction(action),
      clock,
    }
    this.records = new FileRecords(tables)
    this.rests = new FileRests(tables)
    this.kept = new FileKept(tables)
  }

  async reserve(order: Order): Promise<Verdict> {
    return this.#transaction(() => reserve(this.#rows(order.account), order, this.#clock()))
  }

  async settle(settlement: Settlement): Promise<void> {
    const now = this.#clock()
    await this.#transaction(() => {
      if (settle(this.#rows(settlement.account), settlement, now)) this.#write(settlement, now)
    })
  }

  async renew(renewal: Renewal): Promise<void> {
    await this.#transaction(() => renew(this.#rows(renewal.account), renewal, this.#clock()))
  }

  async look(account: string, limits: Limits): Promise<Look> {
    const now = this.#clock()
    return this.#transaction(() => {
      const rows = this.#rows(account)
      rows.write(withoutExpired(rows, now))
      return { account: accountAt(rows.read(), limits, now), now }
    })
  }

  async usage({ from, to }: DayRange): Promise<UsageRow[]> {
    const rows = this.#prepare('SELECT * FROM usage WHERE day BETWEEN ? AND ?').all(from, to)
    return rows as unknown as UsageRow[]
  }

  async ping(): Promise<void> {
    await this.#transaction(() => this.#prepare("INSERT OR REPLACE INTO rest VALUES ('ping', 0)").run())
  }

  async close(): Promise<void> {
    this.#statements.clear()
    this.#database.close()
  }

  #rows(account: string): FileRows {
    return new FileRows(account, (sql) => this.#prepare(sql))
  }

  #write({ account, entry }: Settlement, now: number): void {
    if (entry === undefined) return
    const { model, agent, input, output, money } = entry
    const values: SQLInputValue[] = [periodAt('day', now), account, model, agent, input, output, money]
    this.#prepare(`
      INSERT INTO usage VALUES (?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET
        requests = requests + 1, input = input + excluded.input,
        output = output + excluded.output, money = money + excluded.money`).run(...values)
  }

  /** Does something as a whole; while another process writes, this one goes on with everything else. */
  async #transaction<Result>(action: () => Result): Promise<Result> {
    const deadline = performance.now() + LOCK_WAIT
    for (;;) {
      try {
        return this.#atOnce(action)
      } catch (thrown) {
        if (!isLocked(thrown) || performance.now() >= deadline) throw thrown
      }
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(LOCK_PAUSE)
    }
  }

  #atOnce<Result>(action: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = action()
      this.#database.exec('COMMIT')
      return result
    } catch (thrown) {
      this.#rollBack()
      throw thrown
    }
  }

  /** A full disk has ended the transaction already; what is told is why, and not that there is none. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {
      // It is over in any case.
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function isLocked(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY
}
