import type { Encoding as AnyEncoding } from '../../encode/encoding.ts'
import type { ChatProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export type Encoding = AnyEncoding<ChatProfile>
