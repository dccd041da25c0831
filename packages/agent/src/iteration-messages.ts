import { fillBlock, type HubBlock, type HubMessage, type HubToolResult, type Notes } from '@hydra/core'
import type { AnswerPart, CallPart } from './answer-part.ts'
import { errorResult } from './tool-result.ts'

/** What one iteration brought, as a tracker has it. */
export interface Iteration {
  readonly parts: readonly AnswerPart[]
  /** Why the answer is not whole, in words for the model and for a reader; absent when it is. */
  readonly broken?: string | undefined
}

/**
 * The messages that an iteration adds to a history: the assistant's turn, and the results of all its calls.
 * They are legal whatever happened: a call without a result gets one that says why.
 */
export function iterationMessages({ parts, broken: said }: Iteration, notes: Notes): HubMessage[] {
  const broken = said ?? (parts.every(({ isComplete }) => isComplete) ? undefined : BROKEN)
  const content = parts.flatMap((part, index) => blocksFor(part, `content[${index}]`, notes))
  if (content.length === 0) return []
  const calls = parts.filter((part) => part.type === 'tool_call')
  // Results say it where there are calls; words behind a call are refused by some providers.
  if (broken !== undefined && calls.length === 0) content.push(text(`[${broken}]`))
  const turn: HubMessage = { role: 'assistant', content }
  if (calls.length === 0) return [turn]
  return [turn, { role: 'user', content: calls.map((call) => call.result ?? notRun(call, broken)) }]
}

/** What is said of parts that were never completed, by default. */
const BROKEN = 'The answer broke off here.'

function blocksFor(part: AnswerPart, path: string, notes: Notes): HubBlock[] {
  switch (part.type) {
    case 'text':
      // An empty text block is refused when it is sent back.
      return part.text === '' ? [] : [withoutBlanks(blockOf(part))]
    case 'thinking':
      if (part.isComplete) return [part.block]
      notes.add('thinking_cut', path, 'thinking that was cut off has no signature and cannot be sent back')
      return []
    case 'tool_call':
      return [withoutBlanks(blockOf(part))]
    case 'other':
      if (part.isComplete) return [part.block]
      notes.add('block_cut', path, `a block of the type ${part.block.type} was cut off and is left out`)
      return []
  }
}

/** A part that is still open has its content beside its block. */
function blockOf({ block, isComplete, text: content }: AnswerPart): HubBlock {
  if (isComplete) return block
  const filled = { ...block }
  fillBlock(filled, content)
  return filled
}

/** Answers have fields that say nothing but that there is nothing; a history needs none of them. */
function withoutBlanks(block: HubBlock): HubBlock {
  if (block.type === 'text') {
    const { citations, ...rest } = block
    return citations ? block : rest
  }
  if (block.type !== 'tool_use') return block
  const { caller, ...rest } = block
  return caller === undefined || caller.type === 'direct' ? rest : block
}

function notRun(call: CallPart, broken: string | undefined): HubToolResult {
  const why = call.isComplete
    ? 'This call was not run.'
    : 'This call was cut off before its input was complete, and was not run.'
  return errorResult(call.id, broken === undefined ? why : `${why} ${broken}`)
}

function text(words: string): HubBlock {
  return { type: 'text', text: words }
}
