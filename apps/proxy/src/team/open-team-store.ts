import { UsageError } from '@hydra/cli'
import { openStore, type RedisClientOptions, type Store } from '@hydra/team'

/** Opens the store of a team; one that cannot be opened, such as a file that is none, is a mistake of whoever named it. */
export async function openTeamStore(address: string, options: RedisClientOptions = {}): Promise<Store> {
  try {
    return await openStore(address, options)
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown))
  }
}
