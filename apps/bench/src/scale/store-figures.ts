import type { RedisClient } from '@hydra/team'

/** What a server has done since it was started. */
export interface StoreFigures {
  /** User and system time, in milliseconds. */
  readonly cpu: number
  /** Calls of scripts and commands from outside, without those that scripts make. */
  readonly calls: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly memory: number
}

/** Asks a server for its figures. */
export async function storeFigures(client: RedisClient): Promise<StoreFigures> {
  const info = String(await client.call('INFO', ['everything']))
  const number = (name: string): number => Number(new RegExp(`^${name}:([0-9.]+)`, 'm').exec(info)?.[1] ?? 0)
  const calls = (name: string): number =>
    Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(info)?.[1] ?? 0)
  return {
    cpu: 1000 * (number('used_cpu_user') + number('used_cpu_sys')),
    calls: calls('evalsha') + calls('eval') + calls('hmget') + calls('sadd'),
    bytesIn: number('total_net_input_bytes'),
    bytesOut: number('total_net_output_bytes'),
    memory: number('used_memory'),
  }
}

/** What was done between two looks. */
export function between(before: StoreFigures, after: StoreFigures): StoreFigures {
  return {
    cpu: after.cpu - before.cpu,
    calls: after.calls - before.calls,
    bytesIn: after.bytesIn - before.bytesIn,
    bytesOut: after.bytesOut - before.bytesOut,
    memory: after.memory - before.memory,
  }
}
