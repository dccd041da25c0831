import type { Responder } from '@hydra/gateway'

/** Nobody reads the answer here: it is seen in the list like every other. */
export class SilentReply implements Responder {
  listener: Responder['listener']
  readonly isGone = false

  head(): void {}
  write(): boolean {
    return true
  }
  end(): void {}
  close(): void {}
  breakOff(): void {}
}
