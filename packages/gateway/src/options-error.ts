import { type Fault, shownPath } from './schema/fault.ts'

/** Options that a gateway cannot work with: one line for each thing that is wrong, by its path. No value is quoted. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
  readonly #faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${shownPath(path, 'the options')}: ${message}`).join('\n'))
    this.#faults = faults
  }

  /** Not a field of its own: whoever does not catch it would be shown all of it again below its words. */
  get faults(): readonly Fault[] {
    return this.#faults
  }
}
