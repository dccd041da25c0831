import {
  type ClientDialect,
  dialectFor,
  type EncodedRequest,
  type HubRequest,
  type HubResponse,
  plainCall,
  type Provider,
  providers,
  registry,
  type SpokenDialect,
  spokenBy,
  unfold,
} from '@hydra/core'
import { askedEndpoint } from '@hydra/tape'
import type { ImportedAnswer, ImportedRequest } from './imported.ts'

/** A call of a model as it would have gone over the wire, in the dialect of its provider. */
export interface OtelWire {
  /** The URL that it would have been sent to. */
  readonly address: string
  readonly request: ImportedRequest
  /** Words an answer to it. */
  answer(
    message: HubResponse,
    hasUsage: 'counted' | 'uncounted',
  ): Pick<ImportedAnswer, 'status' | 'headers' | 'body'>
}

/** Words a request as the provider would have been sent it: a span has what was said, and not its bytes. */
export function otelWire(
  request: HubRequest,
  called: { readonly provider: string | undefined; readonly host: string | undefined },
): OtelWire {
  const { client, spoken } = spokenTo(called.provider, request.model)
  const upstream = registry.upstream(spoken.dialect)
  const encoded = upstream.encodeRequest(request, {
    model: request.model,
    profile: spoken.profile,
    newId: () => '0',
  })
  const address = addressOf({ client, spoken }, encoded, called.host)
  const path = address.pathname + address.search
  const headers = { 'content-type': 'application/json', ...encoded.headers }
  return {
    address: address.href,
    request: { method: 'POST', path, headers, body: JSON.stringify(encoded.body) },
    answer: (message, usage) => answerFor(client, { path, body: encoded.body }, { message, usage }),
  }
}

interface Spoken {
  readonly spoken: SpokenDialect
  readonly client: ClientDialect
}

/** The dialect that a provider wants for a model; one that is not known, or that no client speaks, gets a usual one. */
function spokenTo(name: string | undefined, model: string): Spoken {
  const provider = providerOf(name)
  const dialect = dialectFor(provider, model)
  const client = registry.get(dialect)?.client
  if (client !== undefined) return { spoken: spokenBy(provider, dialect), client }
  return spokenTo(undefined, model)
}

/** The provider by its name in telemetry; `azure.ai.openai` is a service of the same house as `azure.ai.inference`. */
function providerOf(name = ''): Provider {
  const known = Object.values(providers)
  const exact = known.find((provider) => telemetryNameOf(provider) === name || provider.name === name)
  const house = houseOf(name)
  const sameHouse = house && known.find((provider) => houseOf(telemetryNameOf(provider)) === house)
  return exact ?? (sameHouse || providers.generic)
}

function telemetryNameOf({ telemetryName, name }: Provider): string {
  return telemetryName ?? name
}

function houseOf(name: string): string | undefined {
  const [house, service] = name.split('.', 2)
  return service === undefined ? undefined : house
}

/** Where it would have been sent, at the host that the span names. */
function addressOf(
  { client, spoken }: Spoken,
  { path, query }: EncodedRequest,
  host: string | undefined,
): URL {
  const known = new URL(spoken.url ?? 'https://provider.invalid')
  const start = known.pathname === '/' ? versionOf(client, spoken) : known.pathname.replace(/\/$/, '')
  const named = `${known.protocol}//${host}`
  const base = host !== undefined && URL.canParse(named) ? named : known
  return new URL(`${start}${path}${query === '' ? '' : `?${query}`}`, base)
}

/** The version that paths of a dialect begin with; where any may stand there, the one that its own provider has. */
function versionOf({ endpoints }: ClientDialect, { dialect }: SpokenDialect): string {
  const generate = endpoints.find(({ purpose }) => purpose === 'generate')?.path ?? ''
  const fixed = /^\/v\d+\w*(?=\/)/.exec(generate)?.[0]
  if (fixed !== undefined) return fixed
  const known: readonly Provider[] = Object.values(providers)
  const own = known.find(({ url, speaks: [first] }) => url !== undefined && first.dialect === dialect)
  return own?.url === undefined ? '' : new URL(own.url).pathname.replace(/\/$/, '')
}

interface Answered {
  readonly message: HubResponse
  readonly usage: 'counted' | 'uncounted'
}

function answerFor(
  client: ClientDialect,
  { path, body }: { readonly path: string; readonly body: unknown },
  { message, usage }: Answered,
): Pick<ImportedAnswer, 'status' | 'headers' | 'body'> {
  const [plain = '', search = ''] = path.split('?', 2)
  const query = Object.fromEntries(new URLSearchParams(search))
  const params = askedEndpoint(plain)?.params ?? {}
  const { reply } = client.decodeRequest(plainCall(body, { path: plain, params, query }))
  if (reply.stream !== undefined) {
    const encoder = client.encodeStream(reply)
    unfold(message, encoder)
    const text = Buffer.from(encoder.take())
    return { status: 200, headers: { 'content-type': reply.stream.contentType }, body: text }
  }
  const value = client.encodeResponse(message, reply)
  const document = usage === 'counted' ? value : withoutUsage(value)
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
}

/** A count that nobody made must not look like one of 0. */
function withoutUsage(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('usage')))
}
