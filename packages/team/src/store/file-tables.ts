import type { StatementSync } from 'node:sqlite'

/** What the parts of a store in a database file share. */
export interface FileTables {
  readonly prepare: (sql: string) => StatementSync
  /** What writes goes through this. */
  readonly transaction: <Result>(action: () => Result) => Promise<Result>
  readonly clock: () => number
}
