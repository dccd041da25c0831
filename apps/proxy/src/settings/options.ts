import { type Environment, type OptionValues, UsageError } from '@hydra/cli'
import type { ConfigFile } from '../config/config-file.ts'

/** The options of `serve`, `run`, `doctor` and `check`: what is parsed, what the help shows, which variable does the same. */
export const OPTIONS = {
  port: {
    type: 'string',
    short: 'p',
    value: 'N',
    text: 'port to listen on, default 3456, 0 for any',
    variable: 'HYDRA_PROXY_PORT',
  },
  host: { type: 'string', value: 'ADDRESS', text: 'address to listen on, default 127.0.0.1' },
  model: {
    type: 'string',
    short: 'm',
    value: 'NAME',
    text: 'the model to call',
    variable: 'HYDRA_TARGET_MODEL',
  },
  provider: {
    type: 'string',
    value: 'NAME',
    text: 'one of the providers below, default openai',
    variable: 'HYDRA_TARGET_PROVIDER',
  },
  'target-url': {
    type: 'string',
    value: 'URL',
    text: 'base URL or full address of the endpoint',
    variable: 'HYDRA_TARGET_URL',
  },
  spoof: {
    type: 'string',
    value: 'NAME',
    text: 'the model name that the client sees',
    variable: 'HYDRA_SPOOF_MODEL',
  },
  passthrough: {
    type: 'string',
    value: 'WHAT',
    text: 'lead, *, or model names (comma-separated)',
    variable: 'HYDRA_PASSTHROUGH',
  },
  'anthropic-url': {
    type: 'string',
    value: 'URL',
    text: 'where passed requests go',
    variable: 'HYDRA_ANTHROPIC_URL',
  },
  key: { type: 'string', value: 'KEY', text: 'the key clients must bring', variable: 'HYDRA_KEY' },
  config: { type: 'string', short: 'c', value: 'FILE', text: 'hydra.config.json or .ts' },
  workers: { type: 'string', value: 'N', text: 'processes that serve, default 1' },
  log: {
    type: 'string',
    value: 'FORMAT',
    text: 'pretty, json, debug or silent; DEBUG_MESSAGE_CONVERSION=true adds the trace of debug to any',
  },
  record: {
    type: 'string',
    value: 'DIR',
    text: 'write every exchange to a tape in DIR',
    variable: 'HYDRA_RECORD',
  },
  'record-policy': {
    type: 'string',
    value: 'P',
    text: 'when a tape cannot be written: lenient (go on, the default) or strict (refuse)',
  },
  'loop-guard': {
    type: 'string',
    value: 'MODE',
    text: 'on a model in circles: off, warn, notify, stop',
    variable: 'HYDRA_LOOP_GUARD',
  },
  store: {
    type: 'string',
    value: 'ADDRESS',
    text: 'where client keys and budgets are kept: file:PATH, redis://HOST or memory',
    variable: 'HYDRA_STORE',
  },
  open: { type: 'boolean', text: 'open the inspector in the browser' },
  metrics: { type: 'boolean', text: 'answer GET /metrics with figures for Prometheus' },
  insecure: { type: 'boolean', text: 'listen off loopback without a key' },
} as const

/** Those of `run`, which has some of its own. */
const OWN_RUN_OPTIONS = {
  list: { type: 'boolean', text: 'show the agents that are known, and which of them are installed' },
  speak: { type: 'string', value: 'DIALECT', text: 'what opencode or pi speaks to the proxy' },
} as const

/** The options of `run`. */
export const RUN_OPTIONS: typeof OWN_RUN_OPTIONS & typeof OPTIONS = { ...OWN_RUN_OPTIONS, ...OPTIONS }

type TypedValues = OptionValues<typeof OPTIONS>

/** The options as they were typed. */
export type CliOptions = { readonly [Name in keyof TypedValues]?: TypedValues[Name] | undefined }

/** Where settings come from, in the order in which they count. */
export interface Sources {
  readonly options: CliOptions
  readonly env: Environment
  readonly source: ConfigFile | undefined
}

/** A value and where it came from, for messages that name it. */
export interface NamedValue {
  /** `--port` or `HYDRA_PROXY_PORT`. */
  readonly name: string
  readonly value: string
}

/** The options with a value. */
type ValueOption = Exclude<keyof CliOptions, 'insecure' | 'metrics' | 'open'>

/** An option, or the variable that does the same. */
export function optionOrVariable(
  option: ValueOption,
  { options, env }: Pick<Sources, 'options' | 'env'>,
): NamedValue | undefined {
  const typed = options[option]
  if (typed !== undefined) return { name: `--${option}`, value: typed }
  const spec = OPTIONS[option]
  return 'variable' in spec ? variable(spec.variable, env) : undefined
}

/** An environment variable; an empty one counts as not set. */
export function variable(name: string, env: Environment): NamedValue | undefined {
  const value = env[name]
  return value ? { name, value } : undefined
}

/** A whole number within bounds. */
export function integer(
  from: NamedValue | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (from === undefined) return undefined
  const number = /^\d{1,9}$/.test(from.value) ? Number(from.value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${from.name} ${from.value}: expected a whole number from ${min} to ${max}`)
}
