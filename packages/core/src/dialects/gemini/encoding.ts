import type { Encoding as SharedEncoding } from '../../encode/encoding.ts'
import type { GeminiProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export type Encoding = SharedEncoding<GeminiProfile>
