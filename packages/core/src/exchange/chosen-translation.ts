import { type BodyForm, formOf } from './body-form.ts'
import type { Translation } from './translation.ts'
import { WrappedTranslation } from './wrapped-translation.ts'

/** The two ways in which an answer may reach its client. */
export interface Ways {
  /** The form in which the client has asked for its answer: it cannot read the other. */
  readonly expects: Exclude<BodyForm, 'unknown'>
  readonly relay: () => Translation
  readonly translate: () => Translation
}

/**
 * Relays an answer that has the form that the client asked for, and translates one that has the other, whatever its
 * head says that it is: only the first visible byte tells.
 */
export function chosenTranslation(ways: Ways): Translation {
  return new ChosenTranslation(ways)
}

class ChosenTranslation extends WrappedTranslation {
  readonly #ways: Ways
  #isCertain = false

  constructor(ways: Ways) {
    super(ways.relay())
    this.#ways = ways
  }

  override pushRaw(bytes: Uint8Array): string | Uint8Array {
    if (!this.#isCertain) this.#look(bytes)
    return super.pushRaw(bytes)
  }

  #look(bytes: Uint8Array): void {
    const form = formOf(bytes)
    if (form === 'unknown') return
    this.#isCertain = true
    // Nothing but white space was relayed so far.
    if (form !== this.#ways.expects) this.inner = this.#ways.translate()
  }
}
