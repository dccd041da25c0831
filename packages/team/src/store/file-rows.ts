import type { StatementSync } from 'node:sqlite'
import { type Account, fromRow, type Holding, NEW_ACCOUNT, toRow } from '../account/account.ts'
import type { AccountRows } from './ledger.ts'
import { SETTLED_KEPT } from './memory-store.ts'

/** The rows of one account in a database file. */
export class FileRows implements AccountRows {
  readonly #id: string
  readonly #prepare: (sql: string) => StatementSync

  constructor(id: string, prepare: (sql: string) => StatementSync) {
    this.#id = id
    this.#prepare = prepare
  }

  read(): Account {
    const found = this.#prepare('SELECT row FROM account WHERE id = ?').get(this.#id)
    return found === undefined ? NEW_ACCOUNT : fromRow(JSON.parse(String(found['row'])) as number[])
  }

  write(account: Account): void {
    this.#prepare('INSERT OR REPLACE INTO account VALUES (?, ?)').run(
      this.#id,
      JSON.stringify(toRow(account)),
    )
  }

  takeExpired(now: number): Holding[] {
    const sql = 'DELETE FROM held WHERE account = ? AND expires <= ? RETURNING rate, tokens, money'
    return this.#prepare(sql).all(this.#id, now).map(holdingOf)
  }

  hold(id: string, { rate, tokens, money }: Holding, expires: number): void {
    const sql = 'INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?, ?)'
    this.#prepare(sql).run(this.#id, id, expires, rate, tokens, money)
  }

  release(id: string): Holding | undefined {
    const sql = 'DELETE FROM held WHERE account = ? AND id = ? RETURNING rate, tokens, money'
    const found = this.#prepare(sql).get(this.#id, id)
    return found === undefined ? undefined : holdingOf(found)
  }

  has(id: string): boolean {
    return this.#prepare('SELECT 1 FROM held WHERE account = ? AND id = ?').get(this.#id, id) !== undefined
  }

  isSettled(id: string): boolean {
    return this.#prepare('SELECT 1 FROM settled WHERE id = ?').get(id) !== undefined
  }

  markSettled(id: string, now: number): void {
    this.#prepare('DELETE FROM settled WHERE at <= ?').run(now - SETTLED_KEPT)
    this.#prepare('INSERT OR REPLACE INTO settled VALUES (?, ?)').run(id, now)
  }

  unmarkSettled(ids: readonly string[]): void {
    const statement = this.#prepare('DELETE FROM settled WHERE id = ?')
    for (const id of ids) statement.run(id)
  }
}

function holdingOf(row: Readonly<Record<string, unknown>>): Holding {
  return { rate: Number(row['rate']), tokens: Number(row['tokens']), money: Number(row['money']) }
}
