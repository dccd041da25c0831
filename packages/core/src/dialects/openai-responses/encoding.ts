import type { Encoding as SharedEncoding } from '../../encode/encoding.ts'
import type { ResponsesProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export type Encoding = SharedEncoding<ResponsesProfile>
