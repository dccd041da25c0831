import { FrameBody } from '../../event-stream/frame-body.ts'
import type { BodyReader, StreamDecoder } from '../dialect.ts'
import { decodeErrorPayload } from './error.ts'
import { NAME } from './wire.ts'

/** Reads a body of event-stream frames. */
export function decodeBody(decoder: StreamDecoder, decodeWhole: (body: unknown) => void): BodyReader {
  return new FrameBody({ dialect: NAME, decoder, decodeWhole, decodeException: decodeErrorPayload })
}
