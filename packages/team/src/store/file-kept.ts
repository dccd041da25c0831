import type { FileTables } from './file-tables.ts'
import { type Kept, KEPT_FOR, MAX_KEPT_BYTES } from './store.ts'

/** Texts that are referred back to, in a database file. */
export class FileKept implements Kept {
  readonly #tables: FileTables

  constructor(tables: FileTables) {
    this.#tables = tables
  }

  async get(client: string, keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    const { prepare, clock } = this.#tables
    const select = prepare('SELECT text FROM kept WHERE client = ? AND key = ? AND at > ?')
    const since = clock() - KEPT_FOR
    return keys.map((key) => select.get(client, key, since)?.['text'] as string | undefined)
  }

  async put(client: string, texts: ReadonlyMap<string, string>): Promise<void> {
    const { prepare, transaction, clock } = this.#tables
    const now = clock()
    await transaction(() => {
      for (const [key, text] of texts) {
        prepare('INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)').run(
          client,
          key,
          text,
          now,
          Buffer.byteLength(text),
        )
      }
      prepare('DELETE FROM kept WHERE at <= ?').run(now - KEPT_FOR)
      this.#shrink(client)
    })
  }

  async delete(client: string, keys: readonly string[]): Promise<void> {
    const { prepare, transaction } = this.#tables
    await transaction(() => {
      const statement = prepare('DELETE FROM kept WHERE client = ? AND key = ?')
      for (const key of keys) statement.run(client, key)
    })
  }

  /** The oldest ones go. */
  #shrink(client: string): void {
    const { prepare } = this.#tables
    const sum = prepare('SELECT coalesce(sum(bytes), 0) AS bytes FROM kept WHERE client = ?')
    let bytes = Number(sum.get(client)?.['bytes'])
    if (bytes <= MAX_KEPT_BYTES) return
    const rows = prepare('SELECT key, bytes FROM kept WHERE client = ? ORDER BY at, rowid')
    for (const { key, bytes: own } of rows.all(client)) {
      if (bytes <= MAX_KEPT_BYTES) return
      prepare('DELETE FROM kept WHERE client = ? AND key = ?').run(client, String(key))
      bytes -= Number(own)
    }
  }
}
