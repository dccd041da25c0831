export type {
  AnswerSummary,
  CallSummary,
  ExchangeSummary,
  RequestSummary,
  Utterance,
  SessionSummary,
  Times,
  Tokens,
} from './session-summary.ts'
export { bytesOf, countOf, spanOf } from './figures.ts'
export { parseText, textOf } from './json-text.ts'
export { type AnswerForm, type AnswerReading, readAnswer, upstreamForm } from './read-answer.ts'
export { summarizeSession } from './summarize-session.ts'
