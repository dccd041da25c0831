import type { HubContentBlock, HubToolResult } from '@hydra/core'

interface PartOfAnswer {
  /** Whether its end has come; a part that stays incomplete was cut off. */
  readonly isComplete: boolean
  /** The block in the hub's form; its content is there once the part is complete. */
  readonly block: HubContentBlock
}

/** Words of the model. */
export interface TextPart extends PartOfAnswer {
  readonly type: 'text'
  readonly text: string
}

/** Thoughts of the model. */
export interface ThinkingPart extends PartOfAnswer {
  readonly type: 'thinking'
  readonly text: string
}

/** A call of one of the caller's tools. */
export interface CallPart extends PartOfAnswer {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  /** The arguments as they came so far: JSON once the part is complete, if the model wrote it well. */
  readonly text: string
  /** What the tool gave, once it is known. */
  readonly result?: HubToolResult
}

/** Anything else: what server tools did, hidden thinking. */
export interface OtherPart extends PartOfAnswer {
  readonly type: 'other'
  readonly text: string
}

/** One part of what a model says in an iteration, in the order they came. The object grows with the stream. */
export type AnswerPart = TextPart | ThinkingPart | CallPart | OtherPart

/** What changed in an iteration: a part began, grew, ended, or a call got its result. */
export type PartEvent =
  | { readonly type: 'started'; readonly index: number; readonly part: AnswerPart }
  | { readonly type: 'delta'; readonly index: number; readonly part: AnswerPart; readonly delta: string }
  | { readonly type: 'completed'; readonly index: number; readonly part: AnswerPart }
  | { readonly type: 'result'; readonly index: number; readonly part: CallPart }
