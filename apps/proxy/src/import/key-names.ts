import type { ProfileName } from '@hydra/core'
import { providerNamed, PROVIDERS } from '../settings/providers.ts'
import { providerAt, variableName } from './imported.ts'

/** A key in a configuration of another program, and whose it is. */
interface FoundKey {
  /** What stands there: the key itself, or the name of a variable in that program's own form. */
  readonly text: string
  /** The provider by the name that it has there. */
  readonly provider: string
  /** The address, if it is another one than the provider's own. */
  readonly url: string | undefined
  /** What the key is called where neither provider nor address says so. */
  readonly label: string
  /** Where it stands, for notes. */
  readonly place: string
}

interface KeyForm {
  /** The variable that a text names, if it is no key itself. */
  readonly variableIn: (text: string) => string | undefined
  readonly notes: string[]
  /** The variables that the configuration names: they hold what they held. */
  readonly named: readonly string[]
}

/** Names variables for keys: they stay out of files, and no key is sent where another one belongs. */
export class KeyNames {
  readonly #variableIn: (text: string) => string | undefined
  readonly #notes: string[]
  /** What each variable is to be set to. */
  readonly #values: Map<string, string>

  constructor({ variableIn, notes, named }: KeyForm) {
    this.#variableIn = variableIn
    this.#notes = notes
    this.#values = new Map(named.map((name) => [name, `the variable ${name}`]))
  }

  /** The reference to the key of an upstream; none where no key is asked for. */
  upstreamKey({ text, provider: name, url, label, place }: FoundKey): string | undefined {
    const provider = providerOf(name, url)
    const isNamed = this.#variableIn(text) !== undefined
    if (provider !== undefined && PROVIDERS[provider].keyVariable === undefined && !isNamed) {
      this.#notes.push(`${place}: left out; ${provider} on this machine asks for no key`)
      return undefined
    }
    return this.reference(text, variableFor(provider, label), place)
  }

  /** The reference to a key: what was written down is to be put into a variable. */
  reference(text: string, wish: string, place: string): string {
    const named = this.#variableIn(text)
    if (named !== undefined) return `env:${named}`
    const variable = this.#free(wish, text)
    const isNew = !this.#values.has(variable)
    this.#values.set(variable, text)
    if (isNew) {
      this.#notes.push(`${place}: keys are not written into a configuration; set ${variable} to it`)
    }
    return `env:${variable}`
  }

  #free(wish: string, text: string): string {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? wish : `${wish}_${number}`
      if ((this.#values.get(name) ?? text) === text) return name
    }
  }
}

/** Who answers at an address: somebody else than the provider that is named, unless that has no address of its own. */
function providerOf(name: string, url: string | undefined): ProfileName | undefined {
  const named = providerNamed(name)
  if (url === undefined) return named
  return (
    providerAt(url) ??
    (named !== undefined && PROVIDERS[named].keyVariable !== undefined && PROVIDERS[named].url === undefined
      ? named
      : undefined)
  )
}

const OWN_VARIABLES: ReadonlySet<string | undefined> = new Set(
  Object.values(PROVIDERS).map(({ keyVariable }) => keyVariable),
)

/** The variable of a provider holds its own key, which is not for another address. */
function variableFor(provider: ProfileName | undefined, label: string): string {
  const own = provider === undefined ? undefined : PROVIDERS[provider].keyVariable
  if (own !== undefined) return own
  const variable = `${variableName(label)}_API_KEY`
  return OWN_VARIABLES.has(variable) ? `HYDRA_${variable}` : variable
}
