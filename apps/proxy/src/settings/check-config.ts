import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { UsageError } from '../cli/usage-error.ts'
import type { Config } from './config.ts'
import { type ConfigPath, type ConfigSource, shownPath } from './config-source.ts'

/** The configuration, if it is one; otherwise all its faults, each with its line. No value is quoted. */
export function checkConfig(source: ConfigSource): Config {
  const validate = compiled()
  if (validate(source.value)) return source.value as Config
  const faults = (validate.errors ?? []).map((fault) => {
    const { path, message } = describe(fault)
    const owner = fault.keyword === 'additionalProperties' ? path.slice(0, -1) : path
    return `${source.place(path)}: ${shownPath(owner)}: ${message}`
  })
  throw new UsageError([...new Set(faults)].join('\n'))
}

let validator: ValidateFunction | undefined

function compiled(): ValidateFunction {
  validator ??= new Ajv({ allErrors: true, strict: true, discriminator: true }).compile(readSchema())
  return validator
}

/** The schema is a file of the package, so that editors can use it as well. */
function readSchema(): object {
  return JSON.parse(readFileSync(new URL('../../hydra.schema.json', import.meta.url), 'utf8')) as object
}

interface Fault {
  readonly path: ConfigPath
  readonly message: string
}

/** What patterns ask for, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^env:[A-Za-z_][A-Za-z0-9_]*$': 'expected env:NAME, the name of an environment variable',
  '^https?://': 'expected an http or https address',
  "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$": 'expected the name of a header',
  '^(?!env:)[ -~]*$': 'expected plain text; only key can be env:NAME',
}

function describe({ instancePath, keyword, params, message = keyword }: ErrorObject): Fault {
  const path = pathOf(instancePath)
  switch (keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      return { path: [...path, key], message: `unknown key '${key}'` }
    }
    case 'required':
      return { path, message: `the key '${String(params['missingProperty'])}' is missing` }
    case 'enum':
      return {
        path,
        message: `expected one of ${(params['allowedValues'] as unknown[]).map(word).join(', ')}`,
      }
    case 'pattern':
      return { path, message: PATTERNS[String(params['pattern'])] ?? message }
    case 'type':
      return { path, message: `expected ${String(params['type'])}` }
    case 'minItems':
      return { path, message: 'expected at least one value' }
    default:
      return { path, message }
  }
}

function word(value: unknown): string {
  return value === '' ? '""' : String(value)
}

function pathOf(instancePath: string): ConfigPath {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}
