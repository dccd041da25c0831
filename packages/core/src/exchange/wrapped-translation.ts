import type { HubError } from '../hub/error.ts'
import type { Translation } from './translation.ts'

/** A translation that leaves the work to another one: what a subclass does not change is the other's. */
export abstract class WrappedTranslation implements Translation {
  protected inner: Translation

  constructor(inner: Translation) {
    this.inner = inner
  }

  pushRaw(bytes: Uint8Array): string | Uint8Array {
    return this.inner.pushRaw(bytes)
  }

  end(): string | Uint8Array {
    return this.inner.end()
  }

  fail(error: HubError): string | Uint8Array {
    return this.inner.fail(error)
  }

  get contentType(): string {
    return this.inner.contentType
  }

  get failsWithoutError(): boolean {
    return this.inner.failsWithoutError === true
  }

  get refusal(): HubError | undefined {
    return this.inner.refusal
  }

  get started(): boolean {
    return this.inner.started
  }

  get ended(): boolean {
    return this.inner.ended
  }

  get finished(): boolean {
    return this.inner.finished
  }

  get failure(): HubError | undefined {
    return this.inner.failure
  }

  get summary(): Translation['summary'] {
    return this.inner.summary
  }

  get notes(): Translation['notes'] {
    return this.inner.notes
  }
}
