import {
  AnswerReader,
  BlockCollector,
  type CollectedBlock,
  type DialectName,
  type HubError,
  plainReply,
  registry,
} from '@hydra/core'

/** What somebody who reads an answer in its dialect makes of it. */
export interface HeardAnswer {
  readonly blocks: readonly CollectedBlock[]
  readonly stopReason: string | undefined
  readonly failure: HubError | undefined
  readonly ended: 'clean' | 'failed' | 'open'
}

/** Reads a client's answer with the other side of its dialect; undefined where that dialect has no reader. */
export function hearAnswer(text: string, dialect: DialectName): HeardAnswer | undefined {
  const upstream = registry.get(dialect)?.upstream
  if (upstream === undefined) return undefined
  const collector = new BlockCollector()
  const reply = plainReply('', upstream.defaultProfile)
  const reader = new AnswerReader({ upstream, reply, messageId: 'heard' }, collector)
  reader.push(Buffer.from(text))
  // A cut is neither an end nor an error, and the end of the text would make it one.
  const wasTold = reader.failure !== undefined
  reader.end()
  const { failure } = reader
  return {
    blocks: collector.blocks,
    stopReason: collector.stop?.stop_reason ?? undefined,
    failure: wasTold ? failure : undefined,
    ended: failure === undefined ? 'clean' : wasTold ? 'failed' : 'open',
  }
}

/** Whether an answer that broke off is the beginning of another one; else where it is not. */
export function partsFrom(broken: HeardAnswer, whole: HeardAnswer): string | undefined {
  for (const [index, block] of broken.blocks.entries()) {
    const other = whole.blocks[index]
    if (other === undefined) return `block ${index} is not there`
    const isLast = index === broken.blocks.length - 1
    const [now, expected] = [partsOf(block), partsOf(other)]
    const part = PARTS.find((name) =>
      isLast ? !expected[name].startsWith(now[name]) : expected[name] !== now[name],
    )
    if (part !== undefined) return `the ${part} of block ${index} differs`
  }
  return undefined
}

const PARTS = ['head', 'content', 'signature', 'extras'] as const

function partsOf({
  head,
  content,
  signature = '',
  extras,
}: CollectedBlock): Readonly<Record<(typeof PARTS)[number], string>> {
  // Without the bracket at the end, so that fewer are the beginning of more.
  return { head: JSON.stringify(head), content, signature, extras: JSON.stringify(extras).slice(0, -1) }
}
