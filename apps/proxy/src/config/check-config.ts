import { UsageError } from '@hydra/cli'
import { faultsOf, type OptionPath, shownPath as shown } from '@hydra/gateway/schema'
import type { Config } from './config.ts'
import { config as schema } from './schema.ts'

/** The way to a value of the configuration: keys and indexes. */
export type ConfigPath = OptionPath

/** What a configuration file holds, before it is checked, and where. */
export interface ConfigSource {
  readonly value: unknown
  /** The file and, where it is known, the line of a value. */
  place(path: ConfigPath): string
}

/** A path as messages write it. */
export function shownPath(path: ConfigPath): string {
  return shown(path, 'the configuration')
}

/** The configuration, if it is one; otherwise all its faults, each with its line. No value is quoted. */
export function checkConfig(source: ConfigSource): Config {
  const faults = faultsOf(schema, source.value)
  if (faults.length === 0) return source.value as Config
  const lines = faults.map(({ path, place, message }) => {
    return `${source.place(place)}: ${shownPath(path)}: ${message}`
  })
  throw new UsageError([...new Set(lines)].toSorted(byLine).join('\n'))
}

/** A reader goes through the file from its top. */
function byLine(one: string, other: string): number {
  return lineOf(one) - lineOf(other)
}

function lineOf(fault: string): number {
  return Number(/:(\d+): /.exec(fault)?.[1] ?? 0)
}
