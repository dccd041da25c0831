import { AnswerReader, plainReply, registry, SILENT_SINK } from '@hydra/core'
import type { TapedAnswer, TapedRequest } from '../format/tape.ts'
import { askedEndpoint } from '../match/asked-endpoint.ts'

/** Whether an answer has said itself that it is finished, however its connection ended. */
export function isFinished(
  { status, chunks }: TapedAnswer,
  { path, dialect }: Pick<TapedRequest, 'path' | 'dialect'>,
): boolean {
  const upstream = registry.get(dialect ?? askedEndpoint(path)?.dialect ?? '')?.upstream
  if (upstream === undefined || status === undefined || status >= 400) return false
  const reply = plainReply('', upstream.defaultProfile)
  const reader = new AnswerReader({ upstream, reply, messageId: 'read' }, SILENT_SINK)
  for (const { bytes } of chunks) reader.push(bytes)
  return reader.failure === undefined && (reader.ended || reader.finished)
}
