import {
  type Fields,
  fieldsOf,
  type Imported,
  type ImportedConfig,
  itemsOf,
  numberOf,
  textOf,
  upstreamOf,
} from './imported.ts'
import { KeyNames } from './key-names.ts'

/** What is known, and what becomes of it is told elsewhere. */
const READ: ReadonlySet<string> = new Set(['Providers', 'providers', 'Router', 'APIKEY', 'HOST', 'PORT'])

/** What our proxy needs no setting for. */
const NEEDLESS: ReadonlySet<string> = new Set(['LOG', 'LOG_LEVEL', 'NON_INTERACTIVE_MODE', 'CLAUDE_PATH'])

/** What is said elsewhere here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  PROXY_URL: 'left out; set HTTPS_PROXY to it where the proxy is started',
}

const NO_ROUTES: Readonly<Record<string, string>> = {
  think: 'no route asks whether the model is to think',
  webSearch: 'no route asks for web search',
}

/** Where it calls a context long if nothing else is said, and what a token is in JSON, about. */
const LONG_CONTEXT = 60_000
const BYTES_PER_TOKEN = 4

/** A configuration of claude-code-router (`config.json`) as one of ours. */
export function fromCcr(value: unknown): Imported {
  const fields = fieldsOf(value)
  const notes: string[] = []
  const providers = itemsOf(fields['Providers'] ?? fields['providers']).map(fieldsOf)
  const texts = [fields['APIKEY'], ...providers.map(({ api_key: key }) => key)]
  const named = texts.flatMap((text) => variableIn(textOf(text) ?? '') ?? [])
  const keys = new KeyNames({ variableIn, notes, named })
  const upstreams = Object.fromEntries(providers.map((item) => upstreamEntry(item, { keys, notes })))
  const config: ImportedConfig = { ...ownSettings(fields, keys), upstreams, routes: routesOf(fields, notes) }
  for (const [name, setting] of Object.entries(fields)) {
    const isEmpty = setting === '' || setting === null || (Array.isArray(setting) && setting.length === 0)
    if (READ.has(name) || NEEDLESS.has(name) || isEmpty) continue
    notes.push(`${name}: ${ELSEWHERE[name] ?? 'has no counterpart'}`)
  }
  return { config, notes }
}

function ownSettings(fields: Fields, keys: KeyNames): Partial<ImportedConfig> {
  const host = textOf(fields['HOST'])
  const port = numberOf(fields['PORT'])
  const key = textOf(fields['APIKEY'])
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(key === undefined ? {} : { key: keys.reference(key, 'HYDRA_KEY', 'APIKEY') }),
  }
}

function upstreamEntry(
  { name: named, api_base_url: typed, api_key: text, transformer }: Fields,
  { keys, notes }: { readonly keys: KeyNames; readonly notes: string[] },
): readonly [string, ImportedConfig['upstreams'][string]] {
  const name = textOf(named) ?? 'unnamed'
  const url = textOf(typed)
  if (transformer !== undefined) {
    notes.push(`Providers.${name}.transformer: left out; profiles know what providers do differently`)
  }
  const found = textOf(text)
  const key =
    found === undefined
      ? undefined
      : keys.upstreamKey({
          text: found,
          provider: name,
          url,
          label: name,
          place: `Providers.${name}.api_key`,
        })
  return [name, upstreamOf(name, { url, key })]
}

/** `$NAME` or `${NAME}`. */
function variableIn(text: string): string | undefined {
  return /^\$\{?([A-Za-z_]\w*)\}?$/.exec(text)?.[1]
}

function routesOf(fields: Fields, notes: string[]): ImportedConfig['routes'] {
  const router = fieldsOf(fields['Router'])
  for (const [name, reason] of Object.entries(NO_ROUTES)) {
    if (textOf(router[name]) !== undefined) notes.push(`Router.${name}: left out; ${reason}`)
  }
  const threshold = numberOf(router['longContextThreshold']) ?? LONG_CONTEXT
  if (textOf(router['longContext']) !== undefined) {
    notes.push(`Router.longContext: ${threshold} tokens are taken for ${BYTES_PER_TOKEN} bytes each`)
  }
  return [
    ...routeTo('image', router['image'], { hasImages: true }),
    ...routeTo('longContext', router['longContext'], { minBytes: threshold * BYTES_PER_TOKEN }),
    ...routeTo('background', router['background'], { models: ['*haiku*'] }),
    ...routeTo('default', router['default'], undefined),
  ]
}

/** `provider,model`. */
function routeTo(name: string, target: unknown, match: object | undefined): ImportedConfig['routes'] {
  const [upstream, ...model] = (textOf(target) ?? '').split(',')
  if (upstream === undefined || model.length === 0) return []
  const route = { name, ...(match === undefined ? {} : { match }), upstream, model: model.join(',') }
  return [route]
}
