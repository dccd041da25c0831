import { UsageError } from '../cli/usage-error.ts'
import type { Environment } from './environment.ts'

/** Something that was typed or set, and where: for messages that name it. */
export interface Said {
  /** `--port` or `HYDRA_PROXY_PORT`. */
  readonly name: string
  readonly value: string
}

/** An option, or the variable that does the same; an empty variable is as good as none. */
export function said(
  option: readonly [name: string, value: string | undefined],
  env: Environment,
  variable: string,
): Said | undefined {
  const [name, typed] = option
  if (typed !== undefined) return { name: `--${name}`, value: typed }
  const value = env[variable]
  return value ? { name: variable, value } : undefined
}

/** A whole number within bounds. */
export function integer(
  from: Said | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  if (from === undefined) return undefined
  const number = /^\d{1,9}$/.test(from.value) ? Number(from.value) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${from.name} ${from.value}: expected a whole number from ${least} to ${most}`)
}
