import type { ExchangeTape, RecordedClient, TrafficRecorder } from './traffic.ts'

/** One recorder that tells two; the second hears everything after the first. */
export function bothRecorders(first: TrafficRecorder, second: TrafficRecorder): TrafficRecorder {
  return {
    begin(client: RecordedClient): ExchangeTape | undefined {
      const one = first.begin(client)
      const other = second.begin(client)
      if (one === undefined || other === undefined) return one ?? other
      return new BothTapes(one, other)
    },
  }
}

class BothTapes implements ExchangeTape {
  readonly #one: ExchangeTape
  readonly #other: ExchangeTape

  constructor(one: ExchangeTape, other: ExchangeTape) {
    this.#one = one
    this.#other = other
  }

  clientRequest(...args: Parameters<ExchangeTape['clientRequest']>): void {
    this.#one.clientRequest(...args)
    this.#other.clientRequest(...args)
  }

  upstreamRequest(...args: Parameters<ExchangeTape['upstreamRequest']>): void {
    this.#one.upstreamRequest(...args)
    this.#other.upstreamRequest(...args)
  }

  upstreamHead(...args: Parameters<ExchangeTape['upstreamHead']>): void {
    this.#one.upstreamHead(...args)
    this.#other.upstreamHead(...args)
  }

  upstreamData(bytes: Uint8Array): void {
    this.#one.upstreamData(bytes)
    this.#other.upstreamData(bytes)
  }

  upstreamHandled(): void {
    this.#one.upstreamHandled?.()
    this.#other.upstreamHandled?.()
  }

  upstreamEnd(): void {
    this.#one.upstreamEnd()
    this.#other.upstreamEnd()
  }

  clientHead(...args: Parameters<ExchangeTape['clientHead']>): void {
    this.#one.clientHead(...args)
    this.#other.clientHead(...args)
  }

  clientData(piece: string | Uint8Array): void {
    this.#one.clientData(piece)
    this.#other.clientData(piece)
  }

  clientEnd(): void {
    this.#one.clientEnd()
    this.#other.clientEnd()
  }

  abort(...args: Parameters<ExchangeTape['abort']>): void {
    this.#one.abort(...args)
    this.#other.abort(...args)
  }

  timeout(reason: string): void {
    this.#one.timeout(reason)
    this.#other.timeout(reason)
  }

  retry(...args: Parameters<ExchangeTape['retry']>): void {
    this.#one.retry(...args)
    this.#other.retry(...args)
  }

  note(...args: Parameters<ExchangeTape['note']>): void {
    this.#one.note(...args)
    this.#other.note(...args)
  }

  usage(...args: Parameters<ExchangeTape['usage']>): void {
    this.#one.usage(...args)
    this.#other.usage(...args)
  }

  report(...args: Parameters<NonNullable<ExchangeTape['report']>>): void {
    this.#one.report?.(...args)
    this.#other.report?.(...args)
  }

  done(...args: Parameters<ExchangeTape['done']>): void {
    this.#one.done(...args)
    this.#other.done(...args)
  }
}
