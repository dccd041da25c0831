/** Options with every default filled in. */
export type Complete<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> }

/** Fills in defaults; what is there and undefined is as good as not there. */
export function complete<Options extends object>(
  defaults: Complete<Options>,
  wishes: Options | undefined,
): Complete<Options> {
  const given = Object.entries(wishes ?? {}).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) }
}
