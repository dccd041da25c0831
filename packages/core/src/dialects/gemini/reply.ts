import type { Notes } from '../../hub/note.ts'
import type { ClientReply } from '../dialect.ts'

/** What the encoders of an answer must know of its request. */
export interface GeminiReply extends ClientReply {
  readonly answerNotes: Notes
  /** The client wants to see what the model thinks. */
  readonly showsThoughts: boolean
  /** The model may search the web, so the client wants to know what an answer rests on. */
  readonly searches: boolean
  /** A stream is an array of JSON rather than events: the form that Google has without `alt=sse`. */
  readonly isArray: boolean
}
