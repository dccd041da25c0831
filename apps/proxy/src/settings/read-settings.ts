import { type GuardOptions, Secret } from '@hydra/gateway'
import type { CliOptions } from '../cli/options.ts'
import { UsageError } from '../cli/usage-error.ts'
import { findConfig, loadConfig } from './config-file.ts'
import type { Environment } from './environment.ts'
import { loopGuardOf } from './loop-guard.ts'
import { isLoopback, LOOPBACK_NAMES } from './loopback.ts'
import { refuseSelf } from './refuse-self.ts'
import { routing } from './routing.ts'
import { integer, said } from './said.ts'
import type { LogFormat, RecordingSettings, Settings } from './settings.ts'
import type { Sources } from './sources.ts'
import { readTarget } from './target.ts'
import { typedPath } from './typed-path.ts'

const DEFAULT_PORT = 3456
const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_DRAIN_LIMIT = 30_000
const LOG_FORMATS: readonly string[] = ['pretty', 'json', 'debug', 'silent']
const ANY_PORT = { least: 0, most: 65_535 }
const ANY_WORKERS = { least: 1, most: 256 }
const ANY_LIMIT = { least: 0, most: 3_600_000 }

/** Where a proxy listens, and the key it asks for. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly key: Secret | undefined
}

/** The settings: what was typed counts most, then the environment, then the configuration file. */
export async function readSettings(options: CliOptions, env: Environment): Promise<Settings> {
  const sources = await readSources(options, env)
  const { config = {}, file } = sources.source ?? {}
  const { host, port, key } = addressOf(sources)
  const workers = integer(said(['workers', options.workers], env, ''), ANY_WORKERS)
  const drainLimit = integer(said(['', undefined], env, 'HYDRA_DRAIN_LIMIT'), ANY_LIMIT)
  const hasUpstreams = config.upstreams !== undefined
  const target = readTarget({ options, env, hasUpstreams })
  const isDemo = !hasUpstreams && target === undefined
  const gateway = {
    ...routing(sources, { target, isDemo }),
    guard: guardOf(host, key, config),
    ...loopGuardOf(sources),
  }
  refuseSelf({ port, gateway })
  return {
    host,
    port,
    workers: workers ?? config.workers ?? 1,
    ...logging(options.log, env),
    recording: recordingOf(options, env),
    insecure: options.insecure ?? false,
    isDemo,
    drainLimit: drainLimit ?? config.timeouts?.drain ?? DEFAULT_DRAIN_LIMIT,
    connectTimeout: config.timeouts?.connect,
    configFile: file,
    gateway,
  }
}

/** Where the proxy listens or would listen, whatever else the settings say. */
export async function readAddress(options: CliOptions, env: Environment): Promise<Address> {
  return addressOf(await readSources(options, env))
}

async function readSources(options: CliOptions, env: Environment): Promise<Sources> {
  const file = options.config === undefined ? await findConfig(env) : typedPath(options.config, env)
  return { options, env, source: file === undefined ? undefined : await loadConfig(file) }
}

function addressOf({ options, env, source }: Sources): Address {
  const { host, port, key } = source?.config ?? {}
  return {
    host: options.host ?? host ?? DEFAULT_HOST,
    port: integer(said(['port', options.port], env, 'HYDRA_PROXY_PORT'), ANY_PORT) ?? port ?? DEFAULT_PORT,
    key: clientKey(said(['key', options.key], env, 'HYDRA_KEY')?.value ?? key, env),
  }
}

function clientKey(key: string | undefined, env: Environment): Secret | undefined {
  if (key === undefined) return undefined
  if (!key.startsWith('env:')) return new Secret(key)
  const name = key.slice('env:'.length)
  const value = env[name]
  if (value) return new Secret(value)
  throw new UsageError(`the environment variable ${name} is not set, but the key of this server is there`)
}

/** A web page can make a browser call any address, but not under a Host of its choice. */
function guardOf(
  host: string,
  key: Secret | undefined,
  { hosts, origins }: { readonly hosts?: readonly string[]; readonly origins?: readonly string[] },
): GuardOptions {
  const names = hosts?.map((name) => name.toLowerCase())
  const known = isLoopback(host) ? [...LOOPBACK_NAMES, host, ...(names ?? [])] : names
  return { key, hosts: known, origins }
}

function recordingOf(options: CliOptions, env: Environment): RecordingSettings | undefined {
  const policy = options['record-policy'] ?? 'lenient'
  if (policy !== 'lenient' && policy !== 'strict') {
    throw new UsageError(`--record-policy ${policy}: expected lenient or strict`)
  }
  const folder = said(['record', options.record], env, 'HYDRA_RECORD')?.value
  if (folder !== undefined) return { folder: typedPath(folder, env), policy }
  if (options['record-policy'] === undefined) return undefined
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
