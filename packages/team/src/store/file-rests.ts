import type { FileTables } from './file-tables.ts'
import type { Rests } from './store.ts'

/** What rests, in a database file. */
export class FileRests implements Rests {
  readonly #tables: FileTables

  constructor(tables: FileTables) {
    this.#tables = tables
  }

  async put(name: string, milliseconds: number): Promise<void> {
    const { prepare, transaction, clock } = this.#tables
    const sql = 'INSERT INTO rest VALUES (?, ?) ON CONFLICT DO UPDATE SET until = max(until, excluded.until)'
    await transaction(() => prepare(sql).run(name, clock() + milliseconds))
  }

  async end(name: string): Promise<void> {
    const { prepare, transaction } = this.#tables
    await transaction(() => prepare('DELETE FROM rest WHERE name = ?').run(name))
  }

  async all(): Promise<ReadonlyMap<string, number>> {
    const { prepare, clock } = this.#tables
    const now = clock()
    const rows = prepare('SELECT name, until FROM rest WHERE until > ?').all(now)
    return new Map(rows.map(({ name, until }) => [String(name), Number(until) - now]))
  }
}
