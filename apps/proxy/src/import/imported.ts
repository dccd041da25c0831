import type { Config, ConfiguredRoute, ConfiguredUpstream } from '../config/config.ts'
import type { ProfileName } from '@hydra/core'
import { providerNamed, PROVIDERS } from '../settings/providers.ts'

/** A configuration of another program as one of ours, and what has no counterpart. */
export interface Imported {
  readonly config: ImportedConfig
  readonly notes: readonly string[]
}

/** The part of a configuration that other programs have as well. */
export interface ImportedConfig {
  readonly host?: string
  readonly port?: number
  readonly key?: string
  readonly retries?: Config['retries']
  readonly upstreams: Readonly<Record<string, ConfiguredUpstream>>
  readonly routes: readonly ConfiguredRoute[]
}

/** An object of foreign JSON or YAML. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value, none if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** The items of a value, none if it is no list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A number, also one that is written as a text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A name as variables have it: `my-server` is `MY_SERVER`. */
export function variableName(name: string): string {
  const word = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^\d/.test(word) || word === '' ? `_${word}` : word
}

/** The provider of ours whose address this is. */
export function providerAt(url: string): ProfileName | undefined {
  const origin = originOf(url)
  const [name] = Object.entries(PROVIDERS).find(([, own]) => own.url && originOf(own.url) === origin) ?? []
  return name === undefined ? undefined : providerNamed(name)
}

/** Local servers are called by either name of this machine. */
function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin.replace('//localhost:', '//127.0.0.1:')
}

/** What other programs are given for some providers is where the server is, and not where its endpoints are. */
const MISSING_PATHS: Partial<Readonly<Record<ProfileName, string>>> = { azure: '/openai/v1', ollama: '/v1' }

/** An upstream; what its provider's name says already is left out. */
export function upstreamOf(
  name: string,
  { url: typed, key }: { readonly url: string | undefined; readonly key: string | undefined },
): ConfiguredUpstream {
  const profile = typed === undefined ? undefined : providerAt(typed)
  const url = typed === undefined ? undefined : baseUrl(typed, profile ?? providerNamed(name))
  const isOwn = url === undefined || url === PROVIDERS[profile ?? 'generic'].url
  return {
    ...(isOwn ? {} : { url }),
    ...(profile === undefined || profile === name ? {} : { profile }),
    ...(key === undefined ? {} : { key }),
  }
}

/** An address without the endpoint at its end, which differs by model or dialect. */
function baseUrl(url: string, provider: ProfileName | undefined): string {
  const base = url.replace(/\/+$/, '').replace(/\/(?:chat\/completions|messages|responses|models)$/, '')
  const missing = provider === undefined ? undefined : MISSING_PATHS[provider]
  return missing !== undefined && URL.parse(base)?.pathname === '/' ? base + missing : base
}
