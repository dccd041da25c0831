import type { Recording } from './recording.ts'

/** What a server says about its connection and not about its answer; those of the tape belong to another one. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
])

/** The recorded headers that are true of the answer when it is played. */
export function playedHeaders(recording: Recording): Record<string, string> {
  const { headers } = recording.answer
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => {
      if (name === 'content-length') return isTrueLength(Number(headers[name]), recording)
      return !OF_THE_CONNECTION.has(name)
    }),
  )
}

/** A length that is not that of the recorded bytes would cut off the answer, or leave its reader waiting. */
function isTrueLength(length: number, { request, answer, ending }: Recording): boolean {
  if (request.method === 'HEAD' || ending !== 'clean') return true
  return length === answer.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
