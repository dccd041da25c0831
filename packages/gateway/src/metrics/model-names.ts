import type { Route } from '../route/route.ts'

/** Clients may ask for models of any name: this many are told apart, and all others counted together. */
const MAX_MODELS = 100

/** The name under which all further models are counted. */
const OTHER = 'other'

/** Keeps the number of models in labels within bounds: those of the routes, and others that have answered. */
export class ModelNames {
  readonly #known = new Set<string>()

  /** Models that the routes name count from the start. */
  add(routes: readonly Route[]): void {
    for (const { model, models = {}, fallbacks = [] } of routes) {
      for (const name of [model, ...Object.values(models), ...fallbacks.map((target) => target.model)]) {
        if (name !== undefined && !name.includes('*')) this.#known.add(name)
      }
    }
  }

  /** A model has answered: it is one, and no word that a client made up. */
  remember(model: string): void {
    if (this.#known.size < MAX_MODELS) this.#known.add(model)
  }

  label(model: string): string {
    return this.#known.has(model) ? model : OTHER
  }
}
