import type { FileTables } from './file-tables.ts'
import type { Records } from './store.ts'

/** Small texts in a database file. */
export class FileRecords implements Records {
  readonly #prepare: FileTables['prepare']
  readonly #transaction: FileTables['transaction']

  constructor({ prepare, transaction }: FileTables) {
    this.#prepare = prepare
    this.#transaction = transaction
  }

  async get(id: string): Promise<string | undefined> {
    return this.#prepare('SELECT text FROM record WHERE id = ?').get(id)?.['text'] as string | undefined
  }

  async put(id: string, text: string): Promise<void> {
    const next = '(SELECT coalesce(max(version), 0) + 1 FROM record)'
    const sql = `INSERT OR REPLACE INTO record VALUES (?, ?, ${next})`
    await this.#transaction(() => this.#prepare(sql).run(id, text))
  }

  async all(): Promise<ReadonlyMap<string, string>> {
    const rows = this.#prepare('SELECT id, text FROM record').all()
    return new Map(rows.map(({ id, text }) => [String(id), String(text)]))
  }

  async version(): Promise<number> {
    return Number(this.#prepare('SELECT coalesce(max(version), 0) AS version FROM record').get()?.['version'])
  }
}
