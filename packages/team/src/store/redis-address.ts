/** Where Valkey or Redis is, as `--store` names it. */
export interface RedisAddress {
  /** Without user, password and settings. */
  readonly shown: string
  readonly hosts: readonly RedisHost[]
  readonly isCluster: boolean
  readonly isEncrypted: boolean
  readonly database: number
  readonly username: string
  readonly password: string
  /** Where the password is instead, as orchestrators hand out secrets. */
  readonly passwordFile: string | undefined
  /** What all names begin with. */
  readonly prefix: string | undefined
}

/** One server. */
export interface RedisHost {
  readonly host: string
  readonly port: number
}

const SCHEME = /^(redis|valkey)(s?)(-cluster)?:\/\//
const PORT = 6379
const SETTINGS: ReadonlySet<string> = new Set(['prefix', 'passwordFile'])

/**
 * Reads an address such as `redis://user:password@host:6379/0?prefix=team`. Several hosts (`redis://a,b,c`), or the
 * scheme `redis-cluster:`, are nodes of a cluster. Undefined if it is none.
 */
export function parseRedisAddress(address: string): RedisAddress | undefined {
  const scheme = SCHEME.exec(address)
  if (scheme === null) return undefined
  const [head, , tls = '', cluster = ''] = scheme
  const urls = urlsOf(address.slice(head.length))
  const [first] = urls ?? []
  if (urls === undefined || first === undefined) return undefined
  const path = first.pathname.replace(/\/$/, '')
  const isCluster = cluster !== '' || urls.length > 1
  const settings = settingsOf(first.searchParams)
  // A cluster has one database only.
  if (settings === undefined || !(isCluster ? /^(?:\/0)?$/ : /^(?:\/\d+)?$/).test(path)) return undefined
  return {
    shown: `redis${tls}${cluster}://${urls.map(({ host }) => host).join(',')}${path}`,
    hosts: urls.map(hostOf),
    isCluster,
    isEncrypted: tls !== '',
    database: Number(path.slice(1)),
    username: decoded(first.username),
    password: decoded(first.password),
    ...settings,
  }
}

/** Undefined if there is an unknown one: misspelt it would count for nothing. */
function settingsOf(query: URLSearchParams): Pick<RedisAddress, 'passwordFile' | 'prefix'> | undefined {
  if ([...query.keys()].some((name) => !SETTINGS.has(name))) return undefined
  return {
    passwordFile: query.get('passwordFile') ?? undefined,
    prefix: query.get('prefix') ?? undefined,
  }
}

/** One address for each host, all with the same user, path and settings; undefined if one of them is none. */
function urlsOf(rest: string): URL[] | undefined {
  const [, authority = '', tail = ''] = /^([^/?]*)(.*)$/.exec(rest) ?? []
  const at = authority.lastIndexOf('@') + 1
  const hosts = authority.slice(at).split(',')
  const urls = hosts.map((host) => URL.parse(`redis://${authority.slice(0, at)}${host}${tail}`))
  const valid = urls.flatMap((url) => (url === null || url.hostname === '' ? [] : [url]))
  return valid.length === urls.length ? valid : undefined
}

function hostOf({ hostname, port }: URL): RedisHost {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || PORT) }
}

/** A percent sign that stands for itself is left alone. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
