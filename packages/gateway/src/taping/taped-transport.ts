import type { BodyListener, Transport, UpstreamAnswer, UpstreamCall } from '../upstream/transport.ts'
import type { Taping } from './taping.ts'
import type { RecordedVia } from './traffic.ts'

/** A transport that puts calls and their answers on tape. */
export function tapedTransport(transport: Transport, taping: Taping | undefined, via: Via): Transport {
  if (taping === undefined) return transport
  return {
    open: (call) => open(call, { transport, taping, via: via() }),
    close: () => transport.close(),
  }
}

/** How the upstream is called; only asked for when there is a tape. */
export type Via = () => RecordedVia

interface Taped {
  readonly transport: Transport
  readonly taping: Taping
  readonly via: RecordedVia
}

async function open(call: UpstreamCall, { transport, taping, via }: Taped): Promise<UpstreamAnswer> {
  taping.called()
  taping.tape.upstreamRequest(
    { method: 'POST', path: pathOf(call.url), headers: call.headers },
    call.body,
    via,
  )
  try {
    return tapedAnswer(await transport.open(call), taping)
  } catch (thrown) {
    if (call.signal.aborted) taping.upstreamAborted()
    else taping.upstreamFailed(thrown instanceof Error ? thrown : new Error(String(thrown)))
    throw thrown
  }
}

function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + '://'.length))
}

function tapedAnswer(answer: UpstreamAnswer, taping: Taping): UpstreamAnswer {
  const { status, headers } = answer
  taping.tape.upstreamHead(status, headers)
  return {
    status,
    headers,
    listen: (listener) => answer.listen(tapedListener(listener, taping)),
    pause: () => answer.pause(),
    resume: () => answer.resume(),
    abort: () => {
      taping.upstreamAborted()
      answer.abort()
    },
  }
}

/** What was read is on the tape before what became of it, so that a tape has things in their order. */
function tapedListener(listener: BodyListener, taping: Taping): BodyListener {
  return {
    data(bytes) {
      taping.tape.upstreamData(bytes)
      listener.data(bytes)
      taping.tape.upstreamHandled?.()
    },
    end() {
      taping.upstreamEnded()
      listener.end()
    },
    error(error) {
      taping.upstreamFailed(error)
      listener.error(error)
    },
  }
}
