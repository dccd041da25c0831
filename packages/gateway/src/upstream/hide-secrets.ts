import type { Hide } from '@hydra/core'
import type { Upstream } from '../options.ts'
import { Secret } from '../secret.ts'

/** Headers that are set in a configuration to prove who calls. */
const SECRET_HEADER = /key|token|auth|secret|cookie/i

/** Takes out of an upstream's words what it was called with to prove who calls. */
export function hideSecrets({ key, headers = {} }: Upstream): Hide {
  const values = Object.entries(headers).filter(([name]) => SECRET_HEADER.test(name))
  const secrets = [
    ...(key === undefined ? [] : [key]),
    ...values.map(([, value]) => new Secret(value.replace(/^(?:Bearer|Basic|Token) +/i, ''))),
  ]
  return (text) => secrets.reduce((hidden, secret) => secret.hideIn(hidden), text)
}
