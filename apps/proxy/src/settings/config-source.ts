/** The way to a value of the configuration: keys and indexes. */
export type ConfigPath = readonly (string | number)[]

/** What a configuration file says, before it is checked, and where. */
export interface ConfigSource {
  readonly value: unknown
  /** The file and, where it is known, the line of a value. */
  place(path: ConfigPath): string
}

/** A path as messages write it. */
export function shownPath(path: ConfigPath): string {
  return path.length === 0 ? 'the configuration' : path.join('.')
}
