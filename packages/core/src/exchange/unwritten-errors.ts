import { mayPass } from '../errors/passing-failure.ts'
import type { HubError } from '../hub/error.ts'
import { WrappedTranslation } from './wrapped-translation.ts'

/** An answer for a client that asks again at once when its connection breaks, and not after an error. */
export class UnwrittenErrors extends WrappedTranslation {
  override pushRaw(bytes: Uint8Array): string | Uint8Array {
    return this.#withoutError(super.pushRaw(bytes))
  }

  override end(): string | Uint8Array {
    return this.#withoutError(super.end())
  }

  override fail(error: HubError): string | Uint8Array {
    return this.#withoutError(super.fail(error))
  }

  override get failsWithoutError(): boolean {
    const { failure, started } = this.inner
    return super.failsWithoutError || (started && failure !== undefined && mayPass(failure))
  }

  /** Words that come in the same read as the failure are dropped with it: the client asks again from the start. */
  #withoutError(out: string | Uint8Array): string | Uint8Array {
    return this.failsWithoutError ? '' : out
  }
}
