import type { Memory } from '@hydra/core'

/** A memory that several gateways share: what a request refers back to is fetched before the request is read. */
export interface SharedMemory {
  /**
   * The memory of one client, in which what is kept under these keys can be found. It never rejects: what cannot be
   * fetched is missing, and the memory says so (`isUnsure`). The client is '' where nobody knows who calls.
   */
  recall(client: string, keys: readonly string[]): Promise<Memory>
}
