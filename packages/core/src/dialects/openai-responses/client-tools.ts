/** What a call of a tool has to look like for the client. */
export type CallKind = 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'

/** A tool as the client knows it. */
export interface ClientTool {
  readonly kind: CallKind
  readonly name: string
  /** The group of tools that it belongs to. */
  readonly namespace?: string | undefined
}

/** The separator between a namespace and a tool's name where there are no namespaces. */
const SEPARATOR = '__'

/**
 * The tools of one request, both ways: the hub has one flat list of functions, the client's tools are of several
 * kinds and may be in namespaces. It outlives the request and keeps no definitions.
 */
export class ClientTools {
  readonly #byHubName = new Map<string, ClientTool>()
  readonly #hubNames = new Map<string, string>()

  /** The name under which the hub knows a tool, the same each time. */
  hubName(tool: ClientTool): string {
    const key = keyOf(tool)
    const known = this.#hubNames.get(key)
    if (known !== undefined) return known
    const name = this.#free(flatName(tool))
    this.#hubNames.set(key, name)
    this.#byHubName.set(name, tool)
    return name
  }

  /** The name of a tool that was offered already, whatever its kind. */
  known(tool: Omit<ClientTool, 'kind'>): string | undefined {
    return this.#hubNames.get(keyOf(tool))
  }

  /** The client's tool behind a name; one that was not offered is a function. */
  toClient(hubName: string): ClientTool {
    return this.#byHubName.get(hubName) ?? { kind: 'function', name: hubName }
  }

  #free(wanted: string): string {
    if (!this.#byHubName.has(wanted)) return wanted
    for (let count = 2; ; count += 1) {
      const name = `${wanted}_${count}`
      if (!this.#byHubName.has(name)) return name
    }
  }
}

function flatName({ name, namespace }: ClientTool): string {
  return namespace === undefined ? name : `${namespace}${SEPARATOR}${name}`
}

/** A name means one tool of its namespace: a history may hold calls of a tool that has changed its kind since. */
function keyOf({ name, namespace }: Omit<ClientTool, 'kind'>): string {
  return JSON.stringify([namespace ?? null, name])
}
