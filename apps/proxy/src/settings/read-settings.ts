import { profiles } from '@hydra/core'
import { type GatewayOptions, LEAD_MARKER, type Route, Secret, type Upstream } from '@hydra/gateway'
import type { CliOptions } from '../cli/options.ts'
import { UsageError } from '../cli/usage-error.ts'
import { type Config, findConfig, loadConfig } from './config.ts'
import { gatewayOptionsOf } from './config-gateway.ts'
import type { Environment } from './environment.ts'
import { PROVIDERS } from './providers.ts'
import type { LogFormat, Settings } from './settings.ts'
import { checkedUrl, type NamedTarget, readTarget } from './target.ts'

const DEFAULT_PORT = 3456
const DEFAULT_HOST = '127.0.0.1'
const LOG_FORMATS: readonly string[] = ['pretty', 'json', 'debug', 'silent']

/** The settings: what was typed counts most, then the environment, then the configuration file. */
export async function readSettings(options: CliOptions, env: Environment): Promise<Settings> {
  const configFile = options.config ?? (await findConfig(env))
  const config = configFile === undefined ? undefined : await loadConfig(configFile)
  const target = readTarget(options, env)
  return {
    ...listening(options, env, config),
    log: logFormat(options.log, env),
    insecure: options.insecure ?? false,
    isDemo: config?.upstreams === undefined && target === undefined,
    configFile,
    gateway: {
      ...gatewayOptions({ config, target, options, env }),
      guard: { key: clientKey(options, config, env) },
    },
  }
}

function listening(
  options: CliOptions,
  env: Environment,
  config: Config = {},
): Pick<Settings, 'host' | 'port' | 'workers'> {
  return {
    host: options.host ?? config.host ?? DEFAULT_HOST,
    port: integer('--port', options.port ?? env['HYDRA_PROXY_PORT']) ?? config.port ?? DEFAULT_PORT,
    workers: integer('--workers', options.workers) ?? config.workers ?? 1,
  }
}

interface Sources {
  readonly config: Config | undefined
  readonly target: NamedTarget | undefined
  readonly options: CliOptions
  readonly env: Environment
}

function gatewayOptions({ config, target, options, env }: Sources): GatewayOptions {
  const configured = config === undefined ? { upstreams: {}, routes: [] } : gatewayOptionsOf(config, env)
  const spoof = options.spoof ?? env['HYDRA_SPOOF_MODEL']
  const passed = passthroughRoutes(options.passthrough ?? env['HYDRA_PASSTHROUGH'])
  const named: Route[] =
    target === undefined ? [] : [{ name: target.provider, upstream: 'target', model: target.model, spoof }]
  return {
    ...configured,
    upstreams: {
      ...configured.upstreams,
      ...(passed.length > 0 ? { 'anthropic-passthrough': anthropicUpstream(options, env) } : {}),
      ...(target === undefined ? {} : { target: target.upstream }),
    },
    routes: [...passed, ...named, ...configured.routes],
  }
}

function anthropicUpstream(options: CliOptions, env: Environment): Upstream {
  const url = options['anthropic-url'] ?? env['HYDRA_ANTHROPIC_URL'] ?? PROVIDERS.anthropic.url
  return { dialect: 'anthropic', url: checkedUrl(url ?? ''), profile: profiles.anthropic }
}

/** `lead` passes the leading agent's requests, `*` every Claude model, a list the models it names. */
function passthroughRoutes(passthrough: string | undefined): Route[] {
  if (passthrough === undefined || passthrough === '') return []
  const route = { name: 'passthrough', upstream: 'anthropic-passthrough', passthrough: true }
  if (passthrough === 'lead') return [{ ...route, match: { marker: LEAD_MARKER } }]
  const models = passthrough === '*' ? ['claude-*'] : passthrough.split(',').map((name) => name.trim())
  return [{ ...route, match: { models } }]
}

function clientKey(options: CliOptions, config: Config | undefined, env: Environment): Secret | undefined {
  const key = options.key ?? env['HYDRA_KEY'] ?? config?.key
  if (key === undefined || key === '') return undefined
  return new Secret(key.startsWith('env:') ? requiredVariable(key.slice('env:'.length), env) : key)
}

function requiredVariable(name: string, env: Environment): string {
  const value = env[name]
  if (value) return value
  throw new UsageError(`the environment variable ${name} is not set, but the key of this server is there`)
}

function integer(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new UsageError(`${name} ${text}: expected a number`)
}

function logFormat(typed: string | undefined, env: Environment): LogFormat {
  if (typed === undefined) return env['DEBUG_MESSAGE_CONVERSION'] === 'true' ? 'debug' : 'pretty'
  if (LOG_FORMATS.includes(typed)) return typed as LogFormat
  throw new UsageError(`--log ${typed}: expected one of ${LOG_FORMATS.join(', ')}`)
}
