import type { Secret } from '../secret.ts'
import type { ClientLimits } from './client-limits.ts'

/** Who calls, and what they may do. */
export interface ClientIdentity {
  /** What its use is counted under. */
  readonly id: string
  /** What reports call it. */
  readonly name?: string | undefined
  readonly owner?: string | undefined
  readonly limits?: ClientLimits | undefined
  /** The models it may ask for, and the routes it may take; by default all. `*` stands for any characters. */
  readonly models?: readonly string[] | undefined
  readonly routes?: readonly string[] | undefined
  /** What it proved itself with: never passed on. */
  readonly key?: Secret | undefined
}

/** Whether what a hook returned says who calls. */
export function isIdentity(value: unknown): value is ClientIdentity {
  if (typeof value !== 'object' || value === null || value instanceof Error || !('id' in value)) return false
  return typeof value.id === 'string' && value.id !== ''
}
