/** The environment that settings are read from. */
export type Environment = Readonly<Record<string, string | undefined>>
