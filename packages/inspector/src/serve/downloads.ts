import type { Exchange } from '@hydra/gateway'
import type { Tape } from '@hydra/tape'
import { summarizeSession } from '../summary/summarize-session.ts'
import { viewerBundle } from '../bundle/viewer-bundle.ts'
import type { LiveReader } from '../live/live-reader.ts'
import { buildPage } from '../page/build-page.ts'
import type { LiveExchange } from '../store/live-exchange.ts'
import { tapeText } from '../store/tape-text.ts'
import { headersFor, sendProblem } from './respond.ts'

const TOOL = 'hydra inspector'
const REDACTION = 'default-1'

/** What a page can save of a live exchange: its request, itself as a tape, or its session as a page. */
export async function sendDownload(
  exchange: Exchange,
  { part, live, reader }: { readonly part: string; readonly live: LiveExchange; readonly reader: LiveReader },
): Promise<void> {
  const taped = reader.read(live)?.taped
  if (taped === undefined) return sendProblem(exchange, 404, 'this exchange is not kept any more')
  if (part === 'request') return save(exchange, 'application/json', taped.request?.body ?? '')
  if (part === 'tape') {
    const text = tapeText(taped, { tool: TOOL, redaction: REDACTION })
    return save(exchange, 'application/jsonl', text)
  }
  const tape = sessionTape(reader, live)
  save(exchange, 'text/html', buildPage([{ tape, summary: summarizeSession(tape) }], await viewerBundle()))
}

/** The session of an exchange as far as it is kept; its times count from the epoch. */
function sessionTape(reader: LiveReader, live: LiveExchange): Tape {
  const { name, exchanges } = reader.sessionOf(live)
  const started = new Date(0).toISOString()
  const header = { tape: 1, tool: TOOL, redaction: REDACTION, started, client: name } as const
  return { folder: name, header, exchanges, problems: [] }
}

/** A page that is saved must not run here, where it could look at everything else. */
function save({ reply }: Exchange, type: string, body: string | Uint8Array): void {
  reply.head(200, {
    ...headersFor(type),
    'content-disposition': 'attachment',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  reply.end(body)
}
