import { faultsOf } from '../../amazon-q/check-turns.ts'
import type { QConversation, QEntry, QUserMessage } from '../../../src/dialects/amazon-q/wire.ts'
import { bodyOf, callEvent, type QEvent, textEvent, thinkingEvent } from '../../amazon-q/frames.ts'
import { COUNTED, inPieces, type MeantAnswer, type MeantBlock, type Pick } from '../meant-answer.ts'
import type { ReadHistory, UpstreamWriter, WrittenAnswer } from '../upstream-writer.ts'

/** A service with strict turns, which answers in frames. */
export const amazonQWriter: UpstreamWriter = {
  takesProofsBack: false,
  write,
  readHistory,
  faults: (body) => faultsOf(body['conversationState'] as QConversation),
}

function write(answer: MeantAnswer, pick: Pick): WrittenAnswer {
  const bytes = bodyOf(...runsOf(answer.blocks).flatMap((run) => eventsOf(run, pick)), endOf(answer))
  // The last frame is whole with its last byte and not before.
  return { bytes, end: bytes.length, counted: true, says: answer }
}

function endOf({ stop, blocks }: MeantAnswer): QEvent {
  const hasCalls = blocks.some(({ type }) => type === 'tool_use')
  const reasons = {
    end: hasCalls ? 'TOOL_USE' : 'END_TURN',
    length: 'MAX_TOKENS',
    filter: 'CONTENT_FILTERED',
  }
  const tokenUsage = { uncachedInputTokens: COUNTED.input, outputTokens: COUNTED.output }
  return ['metadataEvent', { stopReason: reasons[stop], tokenUsage }]
}

/** Calls that follow one another are sent at the same time. */
function runsOf(blocks: readonly MeantBlock[]): MeantBlock[][] {
  const runs: MeantBlock[][] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    if (block.type === 'tool_use' && last?.[0]?.type === 'tool_use') last.push(block)
    else runs.push([block])
  }
  return runs
}

function eventsOf(run: readonly MeantBlock[], pick: Pick): QEvent[] {
  const queues = run.map((block) => (block.type === 'tool_use' ? callEvents(block, pick) : wordEvents(block)))
  const longest = Math.max(...queues.map((queue) => queue.length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat()
}

function wordEvents({ type, pieces, proof }: Exclude<MeantBlock, { type: 'tool_use' }>): QEvent[] {
  if (type === 'text') return pieces.map(textEvent)
  return [
    ...pieces.map(thinkingEvent),
    ...(proof === '' ? [] : [['reasoningContentEvent', { signature: proof }] as const]),
  ]
}

function callEvents({ id, name, input }: Extract<MeantBlock, { type: 'tool_use' }>, pick: Pick): QEvent[] {
  const pieces = inPieces(JSON.stringify(input), pick)
  return [
    callEvent(id, {}, name),
    ...pieces.map((piece) => callEvent(id, { input: piece }, name)),
    callEvent(id, { stop: true }, name),
  ]
}

function readHistory(body: Readonly<Record<string, unknown>>): ReadHistory {
  const { history, currentMessage } = body['conversationState'] as QConversation
  const users = [...history.flatMap(userIn), currentMessage.userInputMessage]
  return {
    // The last turn is told apart from the others, with the tools in it.
    turns: history,
    calls: history.flatMap((entry) =>
      'assistantResponseMessage' in entry
        ? (entry.assistantResponseMessage.toolUses ?? []).map(({ toolUseId: id, name, input }) => ({
            id,
            name,
            input,
          }))
        : [],
    ),
    results: users.flatMap(({ userInputMessageContext: context }) =>
      (context?.toolResults ?? []).map(({ toolUseId }) => toolUseId),
    ),
  }
}

function userIn(entry: QEntry): QUserMessage[] {
  return 'userInputMessage' in entry ? [entry.userInputMessage] : []
}
