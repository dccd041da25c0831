import {
  fieldsOf,
  type Fields,
  type Imported,
  type ImportedConfig,
  itemsOf,
  numberOf,
  textOf,
  upstreamOf,
} from './imported.ts'
import { KeyNames } from './key-names.ts'
import { providerNamed } from '../settings/providers.ts'

/** What it calls providers that have another name here. */
const NAMES: Readonly<Record<string, string>> = {
  ollama_chat: 'ollama',
  hosted_vllm: 'vllm',
  lm_studio: 'lmstudio',
  dashscope: 'qwen',
  zai: 'zhipu',
}

/** The parameters of a model that are read; all others leave a note. */
const READ: ReadonlySet<string> = new Set(['model', 'api_base', 'api_key'])

type Route = ImportedConfig['routes'][number]
type Upstreams = Record<string, ImportedConfig['upstreams'][string]>

/** One entry of `model_list`: the name that clients use, and what is called for it. */
interface Deployment {
  readonly name: string
  readonly upstream: string
  readonly model: string
}

/** A configuration of LiteLLM's proxy (`config.yaml`) as one of ours. */
export function fromLitellm(value: unknown): Imported {
  const fields = fieldsOf(value)
  const notes: string[] = []
  const upstreams: Upstreams = {}
  const entries = itemsOf(fields['model_list']).map(fieldsOf)
  const key = textOf(fieldsOf(fields['general_settings'])['master_key'])
  const texts = entries.map((entry) => textOf(fieldsOf(entry['litellm_params'])['api_key']))
  const named = [key, ...texts].flatMap((text) => variableIn(text ?? '') ?? [])
  const keys = new KeyNames({ variableIn, notes, named })
  const deployments = entries.map((entry, index) =>
    deploymentOf(entry, { upstreams, notes, keys, place: `model_list.${index}` }),
  )
  const routes = routesOf(deployments, fallbacksOf(fields), notes)
  const own =
    key === undefined ? {} : { key: keys.reference(key, 'HYDRA_KEY', 'general_settings.master_key') }
  noteOthers(fields, notes)
  return { config: { ...own, ...retriesOf(fields), upstreams, routes }, notes }
}

interface Reading {
  readonly notes: string[]
  readonly keys: KeyNames
  readonly upstreams: Upstreams
  readonly place: string
}

function deploymentOf(entry: Fields, { upstreams, notes, keys, place }: Reading): Deployment {
  const params = fieldsOf(entry['litellm_params'])
  const { provider, model } = calledModel(textOf(params['model']) ?? '')
  const name = textOf(entry['model_name']) ?? model
  const url = textOf(params['api_base'])
  if (providerNamed(provider) === undefined && url === undefined) {
    notes.push(`${place}: the provider ${provider} is not known here; give its upstream a url`)
  }
  if (model === '*' && name !== '*') {
    notes.push(`${place}: what clients ask for goes on as it is, with all of the name that fits ${name}`)
  }
  const others = Object.keys(params).filter((param) => !READ.has(param))
  if (others.length > 0) notes.push(`${place}: left out: ${others.join(', ')}`)
  const text = textOf(params['api_key'])
  const label = providerNamed(provider) === undefined ? provider : name
  const key =
    text === undefined
      ? undefined
      : keys.upstreamKey({ text, provider, url, label, place: `${place}.api_key` })
  return { name, upstream: nameFor(provider, upstreamOf(provider, { url, key }), upstreams), model }
}

/** `os.environ/NAME`. */
function variableIn(text: string): string | undefined {
  return /^os\.environ\/(\w+)$/.exec(text)?.[1]
}

/** `provider/model`; without a provider it is OpenAI's. */
function calledModel(text: string): { readonly provider: string; readonly model: string } {
  const [prefix = '', ...rest] = text.split('/')
  if (rest.length === 0) return { provider: 'openai', model: text }
  return { provider: NAMES[prefix] ?? prefix, model: rest.join('/') }
}

/** The upstream under its provider's name; a second one with another address or key gets a number. */
function nameFor(wish: string, upstream: Upstreams[string], upstreams: Upstreams): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wish : `${wish}-${number}`
    const profile = number === 1 || upstream.profile !== undefined || providerNamed(wish) === undefined
    const wanted = profile ? upstream : { ...upstream, profile: wish }
    const taken = upstreams[name]
    if (taken === undefined) upstreams[name] = wanted as Upstreams[string]
    if (taken === undefined || JSON.stringify(taken) === JSON.stringify(wanted)) return name
  }
}

/** How often a call is tried again, from either of the two places that it can be said in. */
function retriesOf(fields: Fields): Pick<ImportedConfig, 'retries'> {
  const [times] = ['litellm_settings', 'router_settings'].flatMap(
    (name) => numberOf(fieldsOf(fields[name])['num_retries']) ?? [],
  )
  return times === undefined ? {} : { retries: { times } }
}

/** Who answers in place of whom, from either of the two places that it can be said in. */
function fallbacksOf(fields: Fields): ReadonlyMap<string, readonly string[]> {
  const lists = ['litellm_settings', 'router_settings'].flatMap((name) =>
    itemsOf(fieldsOf(fields[name])['fallbacks']),
  )
  return new Map(
    lists.flatMap((item) =>
      Object.entries(fieldsOf(item)).map(([name, others]) => [name, itemsOf(others).map(String)] as const),
    ),
  )
}

function routesOf(
  deployments: readonly Deployment[],
  fallbacks: ReadonlyMap<string, readonly string[]>,
  notes: string[],
): Route[] {
  const groups = Map.groupBy(deployments, ({ name }) => name)
  const targets = (name: string): { upstream: string; model?: string }[] =>
    (groups.get(name) ?? []).map(targetOf)
  const inOrder = [...groups].toSorted(([one], [other]) => breadth(one) - breadth(other))
  return inOrder.map(([name, [, ...more]]) => {
    const [first, ...same] = targets(name)
    if (more.length > 0)
      notes.push(`${name}: load is not shared; the first deployment answers, the others if it cannot`)
    const others = [...same, ...(fallbacks.get(name) ?? []).flatMap(targets)]
    const match = name === '*' ? {} : { match: { models: [name] } }
    return Object.assign({ name }, match, first, others.length === 0 ? {} : { fallbacks: others })
  })
}

/** There the most specific name counts, here the first that fits: names before patterns, long patterns before short ones. */
function breadth(name: string): number {
  return name.includes('*') ? 1 / name.length : 0
}

/** A wildcard stands for the model that was asked for. */
function targetOf({ upstream, model }: Deployment): { upstream: string; model?: string } {
  return model === '*' ? { upstream } : { upstream, model }
}

function noteOthers(fields: Fields, notes: string[]): void {
  const known: Readonly<Record<string, readonly string[]>> = {
    general_settings: ['master_key'],
    router_settings: ['fallbacks', 'num_retries'],
    litellm_settings: ['fallbacks', 'num_retries', 'drop_params', 'set_verbose'],
  }
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'model_list') continue
    const others = Object.keys(fieldsOf(value)).filter((field) => known[name]?.includes(field) !== true)
    if (known[name] === undefined) notes.push(`${name}: has no counterpart`)
    else if (others.length > 0) notes.push(`${name}: no counterpart for ${others.join(', ')}`)
  }
}
