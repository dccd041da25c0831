import { type Environment, typedPath, UsageError } from '@hydra/cli'
import type { GatewayOptions, GuardOptions, Secret } from '@hydra/gateway'
import { unknownUpstream } from '@hydra/gateway/schema'
import { type Address, addressOf, isLoopback, LOOPBACK_NAMES, refuseSelf } from './address.ts'
import type { Config, ConfiguredKey, ConfiguredLoopGuard, ConfiguredPrices } from '../config/config.ts'
import { findConfig, loadConfig } from '../config/config-file.ts'
import { type CliOptions, integer, optionOrVariable, type Sources, variable } from './options.ts'
import { readRouting } from './routing.ts'
import { refuseSeparateBooks } from '../team/separate-books.ts'
import { storeAddress, teamSettingsOf, type TeamSettings } from '../team/team-settings.ts'

const DEFAULT_DRAIN_LIMIT = 30_000
const LOG_FORMATS: readonly string[] = ['pretty', 'json', 'debug', 'silent']
const LOOP_GUARD_MODES: readonly ConfiguredLoopGuard['mode'][] = ['off', 'warn', 'notify', 'stop']
const ANY_WORKERS = { min: 1, max: 256 }
const ANY_LIMIT = { min: 0, max: 3_600_000 }

/** How log lines are written. */
export type LogFormat = 'pretty' | 'json' | 'silent'

/** Where traffic is recorded, and what happens when it cannot be. */
export interface RecordingSettings {
  /** The whole path. */
  readonly folder: string
  readonly policy: 'lenient' | 'strict'
  /** The folder that the recorded program works in, where there is only one. */
  readonly workspace?: string
}

/** Everything the proxy needs to run, from the command line, the environment and the configuration. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly workers: number
  readonly log: LogFormat
  /** Whether each log line is followed by what was translated into what. */
  readonly traces: boolean
  /** Where tapes are written, if they are. */
  readonly recording?: RecordingSettings | undefined
  /** Prices that count more than the providers' lists. */
  readonly prices: ConfiguredPrices
  /** Whether `GET /metrics` answers. */
  readonly metrics: boolean
  /** Start off loopback even without a key. */
  readonly insecure: boolean
  /** Whether exchanges are shown while they happen, and whether the page opens by itself. */
  readonly inspector: boolean
  readonly open: boolean
  readonly gateway: GatewayOptions
  /** Whom it serves and where that is counted, if clients have keys of their own. */
  readonly team?: TeamSettings | undefined
  /** No target was given: the built-in demo answers. */
  readonly isDemo: boolean
  /** How long streams may go on after the first signal, in milliseconds. */
  readonly drainLimit: number
  /** How long a connection to an upstream may take to open, in milliseconds. */
  readonly connectTimeout?: number | undefined
  /** Where the configuration was read from, if it was. */
  readonly configFile?: string | undefined
}

/** The settings: what was typed counts most, then the environment, then the configuration file. */
export async function readSettings(options: CliOptions, env: Environment): Promise<Settings> {
  const sources = await readSources(options, env)
  const { config = {}, file } = sources.source ?? {}
  const { host, port, key } = addressOf(sources)
  const workers = integer(optionOrVariable('workers', sources), ANY_WORKERS)
  const workerCount = workers ?? config.workers ?? 1
  const drainLimit = integer(variable('HYDRA_DRAIN_LIMIT', env), ANY_LIMIT)
  const { gateway, isDemo } = readRouting(sources)
  refuseSelf(port, gateway)
  const team = teamSettingsOf(sources, gateway.routes)
  refuseSeparateBooks({ workers: workerCount, team })
  return {
    host,
    port,
    workers: workerCount,
    ...logging(options.log, env),
    recording: recordingOf(sources),
    prices: pricesOf(sources, gateway),
    metrics: options.metrics ?? config.metrics ?? false,
    insecure: options.insecure ?? false,
    ...inspectorOf(sources),
    isDemo,
    drainLimit: drainLimit ?? config.timeouts?.drain ?? DEFAULT_DRAIN_LIMIT,
    connectTimeout: config.timeouts?.connect,
    configFile: file,
    team,
    gateway: { ...gateway, guard: guardOf(host, key, config), ...loopGuardOf(sources) },
  }
}

function inspectorOf({ options, source }: Sources): Pick<Settings, 'inspector' | 'open'> {
  const inspector = source?.config.inspector ?? true
  if (options.open === true && !inspector)
    throw new UsageError('--open: the configuration turns the inspector off')
  return { inspector, open: options.open ?? false }
}

/** Where the proxy listens or would listen, whatever else the settings are. */
export async function readAddress(options: CliOptions, env: Environment): Promise<Address> {
  return addressOf(await readSources(options, env))
}

/** The address of the store, whatever else the settings are. */
export async function readStoreAddress(options: CliOptions, env: Environment): Promise<string | undefined> {
  return storeAddress(await readSources(options, env))
}

/** The keys that a configuration names, whatever else the settings are. */
export async function readConfiguredKeys(
  options: CliOptions,
  env: Environment,
): Promise<readonly ConfiguredKey[]> {
  return (await readSources(options, env)).source?.config.keys ?? []
}

async function readSources(options: CliOptions, env: Environment): Promise<Sources> {
  const file = options.config === undefined ? await findConfig(env) : typedPath(options.config, env)
  return { options, env, source: file === undefined ? undefined : await loadConfig(file) }
}

/** A web page can make a browser call any address, but not under a Host of its choice. */
function guardOf(
  host: string,
  key: Secret | undefined,
  { hosts, origins }: Pick<Config, 'hosts' | 'origins'>,
): GuardOptions {
  const names = hosts?.map((name) => name.toLowerCase())
  const known = isLoopback(host) ? [...LOOPBACK_NAMES, host, ...(names ?? [])] : names
  return { key, hosts: known, origins }
}

/** A price for an upstream that there is none of would silently count for nothing. */
function pricesOf({ source }: Sources, { upstreams }: GatewayOptions): ConfiguredPrices {
  const prices = source?.config.prices ?? {}
  for (const name of Object.keys(prices)) {
    if (!Object.hasOwn(upstreams, name))
      throw source?.fault(['prices', name], unknownUpstream(name, upstreams))
  }
  return prices
}

/** What is done about loops: the mode that was typed or set, with the numbers of the configuration. */
function loopGuardOf(sources: Sources): Pick<GatewayOptions, 'loopGuard'> {
  const configured = sources.source?.config.loopGuard
  const mode = loopGuardMode(sources) ?? configured?.mode ?? 'off'
  return mode === 'off' ? {} : { loopGuard: { ...configured, mode } }
}

function loopGuardMode(sources: Sources): ConfiguredLoopGuard['mode'] | undefined {
  const typed = optionOrVariable('loop-guard', sources)
  if (typed === undefined) return undefined
  const mode = LOOP_GUARD_MODES.find((name) => name === typed.value)
  if (mode !== undefined) return mode
  throw new UsageError(`${typed.name} ${typed.value}: expected one of ${LOOP_GUARD_MODES.join(', ')}`)
}

function recordingOf(sources: Sources): RecordingSettings | undefined {
  const policy = sources.options['record-policy'] ?? 'lenient'
  if (policy !== 'lenient' && policy !== 'strict') {
    throw new UsageError(`--record-policy ${policy}: expected lenient or strict`)
  }
  const folder = optionOrVariable('record', sources)?.value
  if (folder !== undefined) return { folder: typedPath(folder, sources.env), policy }
  if (sources.options['record-policy'] === undefined) return undefined
  throw new UsageError('--record-policy: there is nothing to record without --record')
}

function logging(typed: string | undefined, env: Environment): Pick<Settings, 'log' | 'traces'> {
  const traces = env['DEBUG_MESSAGE_CONVERSION'] === 'true'
  if (typed === undefined) return { log: 'pretty', traces }
  if (!LOG_FORMATS.includes(typed)) {
    throw new UsageError(`--log ${typed}: expected one of ${LOG_FORMATS.join(', ')}`)
  }
  return typed === 'debug' ? { log: 'pretty', traces: true } : { log: typed as LogFormat, traces }
}
