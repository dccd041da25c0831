import type { Dialect } from '@hydra/core'
import { client } from './client.ts'
import { upstream } from './upstream.ts'
import { TOY } from './wire.ts'

/** A protocol that nobody else speaks: whoever works with it works with any. */
export const toyDialect: Dialect = { name: TOY, client, upstream }
